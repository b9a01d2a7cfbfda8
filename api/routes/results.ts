import { getAssistantResults } from '../../contract/results.ts';
import { AssistantFieldModel } from '../../db/models/assistant-field.ts';
import { findFieldResults } from '../../db/queries/field-results.ts';
import { invalid } from '../errors.ts';
import { handle } from '../http/handle.ts';
import { findAssistant } from '../lookups/find-assistant.ts';
import { toFieldFilters } from '../lookups/session-filter.ts';
import { requirePeriod } from '../require-period.ts';

/** Most fields of an answer: an assistant has 50, and those that it had come after them. */
const MAX_FIELDS = 100;

/** Most answers to go through, which takes about a second. */
const MAX_ANSWERS = 500_000;

export const resultsRoutes = () => [
  handle(getAssistantResults, async ({ params, query: { version, field = [], ...query }, userId }) => {
    const { from, to } = requirePeriod(query);
    const { id } = await findAssistant(userId, params.id);
    const known = await AssistantFieldModel.findKnown(userId, id);
    const filters = toFieldFilters(known, field);
    const found = await findFieldResults(known.slice(0, MAX_FIELDS), { from, to, version, filters }, MAX_ANSWERS);
    if (found) return { from, to, ...found };
    throw invalid({ path: 'from', message: `has more than ${MAX_ANSWERS} answers until \`to\`: take a shorter time` });
  }),
];
