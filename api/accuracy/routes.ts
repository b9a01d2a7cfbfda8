/** How often the model is right, as far as people have reviewed it. */
import { getAssistantAccuracy, getBatchAccuracy, type FieldAccuracy } from '../../contract/service/accuracy.ts';
import { AssistantFieldModel, type KnownField } from '../../db/models/assistant-field.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { countReviews, type CountedMarks } from '../../db/queries/accuracy.ts';
import { countTests, findReviewedPairs } from '../../db/queries/compare-reviewed.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import { ApiError, requireFound } from '../errors.ts';
import { handle } from '../http/handle.ts';
import { readPeriod } from '../reports/period.ts';
import { compareFields, shareOf } from './verdicts.ts';

/** Types whose right answers repeat. */
const COUNTABLE = ['boolean', 'enum', 'integer'];

export const accuracyRoutes = () => [
  handle(getAssistantAccuracy, async ({ params, query: { version, ...query }, workspaceId }) => {
    const { from, to } = readPeriod(query);
    const { id: assistantId } = await findAssistant(workspaceId, params.id);
    const known = await AssistantFieldModel.findKnown(workspaceId, assistantId);
    const counted = await countReviews({ workspaceId, assistantId, from, to, version });
    const fields = known.flatMap((field) => {
      const marks = counted.marks.filter(({ name }) => name === field.name);
      const baseline = counted.baselines.find(({ name }) => name === field.name);
      return marks.length === 0 ? [] : [presentField(field, marks, baseline)];
    });
    return { from, to, sampled: counted.sampled, others: counted.others, fields };
  }),

  handle(getBatchAccuracy, async ({ params, workspaceId }) => {
    const batch = requireFound(await BatchModel.findOwned(workspaceId, params.id), 'batch');
    if (batch.action !== 'reanalyze')
      throw new ApiError('conflict', 'Only batches of reanalyses are compared with reviews.');
    const { pairs, questions, is_sample } = await findReviewedPairs(batch);
    const own = pairs.filter(({ fallback }) => !fallback);
    const sampled = own.filter((pair) => pair.sampled).length;
    return {
      sessions: sampled,
      others: own.length - sampled,
      failed: batch.failed,
      fallback: pairs.length - own.length,
      is_sample,
      tests: await countTests(workspaceId, batch.filter.assistant_id ?? ''),
      fields: compareFields(own, questions),
    };
  }),
];

function presentField(
  { name, type }: KnownField,
  marks: readonly CountedMarks[],
  baseline: FieldAccuracy['baseline'] | undefined,
): FieldAccuracy {
  const total = (sampled: boolean) => marks.find((row) => row.is_total && row.sampled === sampled);
  const { wrong = 0, missed = 0, invented = 0, unsure = 0 } = total(true) ?? {};
  const { verified = 0, verified_right = 0, unverified = 0, unverified_right = 0 } = total(true) ?? {};
  return {
    name,
    type,
    ...shareOfMarks(total(true)),
    wrong,
    missed,
    invented,
    unsure,
    verified: shareOf(verified_right, verified),
    unverified: shareOf(unverified_right, unverified),
    baseline: baseline && COUNTABLE.includes(type) ? { value: baseline.value, share: baseline.share } : null,
    by_version: marks.flatMap((row) => {
      const { version, sampled, is_total } = row;
      return sampled && !is_total && version !== null ? [{ version, ...shareOfMarks(row) }] : [];
    }),
    others: shareOfMarks(total(false)),
  };
}

const shareOfMarks = ({ right = 0, wrong = 0, missed = 0, invented = 0 }: Partial<CountedMarks> = {}) =>
  shareOf(right, right + wrong + missed + invented);
