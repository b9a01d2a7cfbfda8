import { parseCondition } from '../../../../contract/fields/conditions.ts';
import type { ValueSource } from '../../../../contract/values/session-lists.ts';
import type { SessionsSearch } from '../../lists/search.ts';
import type { Period } from '../../search/named-period.ts';
import { momentsOf } from '../../search/period.ts';

interface Counted {
  assistantId: string;
  version: number | undefined;
  field: readonly string[] | undefined;
  period: Period;
  values: ValueSource | undefined;
}

/** Returns the filters of the sessions that the results count: all conditions of the page. */
export const sessionsOf = ({ assistantId, version, field, period, values }: Counted): SessionsSearch => ({
  assistant_id: assistantId,
  status: 'completed',
  ...momentsOf(period),
  ...(version !== undefined && { assistant_version: version }),
  ...(field && { field: [...field] }),
  ...(values && { values }),
});

/** Returns whether the page has a condition on the question, so that its answers are known. */
export const isChosen = (name: string, field: readonly string[] | undefined): boolean =>
  field?.some((each) => parseCondition(each)?.name === name) ?? false;
