/** How often the model is right, as far as people have reviewed it. */
import type { AccuracyReport, BatchAccuracy, FieldAccuracy } from '../../contract/reviews/accuracy.ts';
import { AssistantFieldModel, type KnownField } from '../../db/models/assistant-field.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { countReviews, type CountedMark } from '../../db/queries/accuracy.ts';
import { countTests, findReviewedPairs } from '../../db/queries/compare-reviewed.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import { refusal, requireFound } from '../errors.ts';
import { readPeriod } from '../period.ts';
import { compareFields, shareOf } from './verdicts.ts';

/** Types whose right answers repeat. */
const COUNTABLE = ['boolean', 'enum', 'integer'];

interface AssistantQuery {
  from?: string | undefined;
  to?: string | undefined;
  version?: number | undefined;
}

/** Returns how often the values of an assistant are right in a period. */
export async function readAssistantAccuracy(
  workspaceId: string,
  id: string,
  { version, ...query }: AssistantQuery,
): Promise<AccuracyReport> {
  const { from, to } = readPeriod(query);
  const { id: assistantId } = await findAssistant(workspaceId, id);
  const known = await AssistantFieldModel.findKnown(workspaceId, assistantId);
  const counted = await countReviews({ workspaceId, assistantId, from, to, version });
  const fields = known.flatMap((field) => {
    const marks = counted.marks.filter(({ name }) => name === field.name);
    const baseline = counted.baselines.find(({ name }) => name === field.name);
    return marks.length === 0 ? [] : [presentField(field, marks, baseline)];
  });
  return { from, to, sampled: counted.sampled, others: counted.others, fields };
}

/** Compares the values before and after a batch with the reviews. */
export async function readBatchAccuracy(workspaceId: string, id: string): Promise<BatchAccuracy> {
  const batch = requireFound(await BatchModel.findOwned(workspaceId, id), 'batch');
  if (batch.action !== 'reanalyze') throw refusal('not_reanalyses:accuracy');
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
}

function presentField(
  { name, type }: KnownField,
  marks: readonly CountedMark[],
  baseline: FieldAccuracy['baseline'] | undefined,
): FieldAccuracy {
  const sample = marks.filter((row) => row.sampled);
  const quoted = (quotes: CountedMark['quotes']) => shareOfRight(sample.filter((row) => row.quotes === quotes));
  const versions = [...new Set(sample.map(({ version }) => version))].filter((version) => version !== null);
  return {
    name,
    type,
    ...shareOfRight(sample),
    wrong: countMarks(sample, 'wrong'),
    missed: countMarks(sample, 'missed'),
    invented: countMarks(sample, 'invented'),
    unsure: countMarks(sample, 'unsure'),
    verified: quoted('verified'),
    unverified: quoted('unverified'),
    baseline: baseline && COUNTABLE.includes(type) ? { value: baseline.value, share: baseline.share } : null,
    by_version: versions.map((version) => ({
      version,
      ...shareOfRight(sample.filter((row) => row.version === version)),
    })),
    others: shareOfRight(marks.filter((row) => !row.sampled)),
  };
}

const countMarks = (rows: readonly CountedMark[], ...marks: CountedMark['mark'][]) =>
  rows.reduce((sum, { mark, count }) => (marks.includes(mark) ? sum + count : sum), 0);

const shareOfRight = (rows: readonly CountedMark[]) =>
  shareOf(countMarks(rows, 'right'), countMarks(rows, 'right', 'wrong', 'missed', 'invented'));
