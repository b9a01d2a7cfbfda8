/** How often the model is right, as far as people have reviewed it. */
import type {
  AccuracyReport,
  BatchAccuracy,
  FieldAccuracy,
  getAssistantAccuracy,
} from '../../contract/reviews/accuracy.ts';
import type { BatchFilter } from '../../contract/sessions/batches.ts';
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { AssistantFieldModel, type KnownField } from '../../db/models/assistant-field.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { countReviews, type CountedAgreement, type CountedMark } from '../../db/queries/accuracy.ts';
import { countTests, listReviewedPairs, readPairs } from '../../db/queries/compare-reviewed.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import { refusal, requireFound } from '../errors.ts';
import { findMetadataKeys } from '../metadata-keys.ts';
import { findTimezone, readPeriod } from '../period.ts';
import { cohenKappa } from './statistics.ts';
import { compareFields, shareOf } from './verdicts.ts';

/** Returns how often the values of an assistant are right in a period. */
export async function readAssistantAccuracy(
  workspaceId: string,
  id: string,
  { version, group_by, ...query }: EndpointInput<typeof getAssistantAccuracy>['query'],
): Promise<AccuracyReport> {
  const { from, to } = readPeriod(query, query.timezone);
  const timezone = await findTimezone(query.timezone);
  const { id: assistantId } = await findAssistant(workspaceId, id);
  const known = await AssistantFieldModel.findKnown(workspaceId, assistantId);
  if (group_by) await findMetadataKeys(workspaceId, group_by);
  const counted = await countReviews(workspaceId, { assistantId, from, to, timezone, version, group_by });
  const fields = known.flatMap((field) => {
    const marks = counted.marks.filter(({ name, type }) => name === field.name && type === field.type);
    const baseline = counted.baselines.find(({ name, type }) => name === field.name && type === field.type);
    return marks.length === 0
      ? []
      : [
          {
            ...presentField(field, marks, baseline),
            ...(group_by && { by_group: shareByGroup(marks) }),
            agreement: agreementOn(field, counted.agreements),
          },
        ];
  });
  const { sampled, others, fallback, second_opinions, disputed } = counted;
  const chosen_by = await AssistantModel.findChoosing(workspaceId, assistantId);
  const chosen = chosen_by.length > 0 ? { chosen_by } : {};
  return { from, to, sampled, others, fallback, second_opinions, disputed, ...chosen, fields };
}

/** Compares the values before and after a batch with the reviews. */
export async function readBatchAccuracy(workspaceId: string, id: string): Promise<BatchAccuracy> {
  const batch = requireFound(await BatchModel.findOwned(workspaceId, id), 'batch');
  if (batch.action !== 'reanalyze') throw refusal('not_reanalyses:accuracy');
  const { listed, is_sample } = await listReviewedPairs(batch);
  const own = listed.filter((pair) => !pair.by_fallback && !pair.was_by_fallback);
  const chosen_by = chosenBy(batch.filter);
  const sampled = chosen_by.length > 0 ? 0 : own.filter((pair) => pair.sampled).length;
  // All sessions of a batch have the same settings.
  const first = own[0] && (await SessionModel.query().select('assistant').findById(own[0].session_id));
  const fields = await compareFields(first?.assistant.fields ?? [], readPairs(own), chosen_by.length === 0);
  return {
    sessions: sampled,
    others: own.length - sampled,
    failed: batch.failed,
    fallback: listed.filter((pair) => pair.by_fallback).length,
    former_fallback: listed.filter((pair) => pair.was_by_fallback).length,
    is_sample,
    chosen_by,
    tests: await countTests(batch.workspace_id, own),
    fields,
  };
}

/** Whether sessions with this filter can be a random sample: filters by what was submitted can, filters by results cannot. */
const IS_NEUTRAL: Record<keyof BatchFilter, boolean | readonly unknown[]> = {
  assistant_id: true,
  assistant_version: true,
  type: true,
  occurred_after: true,
  occurred_before: true,
  created_after: true,
  created_before: true,
  completed_after: true,
  completed_before: true,
  updated_after: false,
  delivery_ended_after: false,
  delivery_ended_before: false,
  llm_model: true,
  metadata: true,
  simulated: true,
  trial: true,
  reanalysis: true,
  status: ['completed'],
  review: ['reviewed', 'unreviewed', 'sampled', 'unsampled', 'single'],
  session_id: false,
  source_session_id: false,
  first_session_id: false,
  batch_id: false,
  delivery_id: false,
  delivery_status: false,
  waiting_for: false,
  error_code: false,
  min_cost: false,
  q: false,
  field: false,
  values: true,
  corrected: false,
};

/** Returns the filters that chose sessions by their results or by hand. */
function chosenBy(filter: BatchFilter): string[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    const neutral = IS_NEUTRAL[name as keyof BatchFilter];
    return neutral === true || (neutral && neutral.includes(value)) ? [] : [name];
  });
}

function presentField(
  { name, title, type }: KnownField,
  marks: readonly CountedMark[],
  baseline: FieldAccuracy['baseline'] | undefined,
): Omit<FieldAccuracy, 'agreement'> {
  const sample = marks.filter((row) => row.sampled);
  const quoted = (quotes: CountedMark['quotes']) => shareOfRight(sample.filter((row) => row.quotes === quotes));
  const versions = [...new Set(sample.map(({ version }) => version))].filter((version) => version !== null);
  return {
    name,
    ...(title !== undefined && { title }),
    type,
    ...shareOfRight(sample),
    wrong: countMarks(sample, 'wrong'),
    missed: countMarks(sample, 'missed'),
    invented: countMarks(sample, 'invented'),
    unsure: countMarks(sample, 'unsure'),
    verified: quoted('verified'),
    unverified: quoted('unverified'),
    baseline: baseline ? { value: baseline.value, share: baseline.share } : null,
    by_version: versions.map((version) => ({
      version,
      ...shareOfRight(sample.filter((row) => row.version === version)),
    })),
    others: shareOfRight(marks.filter((row) => !row.sampled)),
  };
}

/** Returns the share of each group of the sample, the largest group first and the others last. */
function shareByGroup(marks: readonly CountedMark[]): NonNullable<FieldAccuracy['by_group']> {
  const groups = Map.groupBy(
    marks.filter((row) => row.sampled),
    ({ group, others }) => JSON.stringify([group, others]),
  );
  return [...groups.values()]
    .flatMap((rows) => rows.slice(0, 1).map(({ group, others }) => ({ group, others, ...shareOfRight(rows) })))
    .sort((a, b) => Number(a.others) - Number(b.others) || b.judged - a.judged);
}

function agreementOn(field: KnownField, counted: readonly CountedAgreement[]): FieldAccuracy['agreement'] {
  const rows = counted.filter(({ name, type }) => name === field.name && type === field.type);
  const sum = (some: readonly CountedAgreement[]) => some.reduce((total, { count }) => total + count, 0);
  const { right: agreed, ...share } = shareOf(sum(rows.filter(({ same }) => same)), sum(rows));
  const values = rows.flatMap(({ first, second, count }) =>
    first === null || second === null ? [] : [{ first, second, count }],
  );
  return { agreed, ...share, kappa: values.length === 0 ? null : cohenKappa(values) };
}

const countMarks = (rows: readonly CountedMark[], ...marks: CountedMark['mark'][]) =>
  rows.reduce((sum, { mark, count }) => (marks.includes(mark) ? sum + count : sum), 0);

const shareOfRight = (rows: readonly CountedMark[]) =>
  shareOf(countMarks(rows, 'right'), countMarks(rows, 'right', 'wrong', 'missed', 'invented'));
