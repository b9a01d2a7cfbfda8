/** A batch of sessions: the scope of its action, and its filter, created from the filters of the session list. */
import type { Batch, BatchFilter, BatchSummary } from 'conversation-analysis-client';
import {
  ASSISTANT_TYPES,
  DELIVERY_STATUSES,
  SESSION_ERROR_CODES,
  SESSION_STATUSES,
  type BatchAction,
} from '../../../contract/values/constants.ts';
import { PROVIDERS } from '../../../contract/values/providers.ts';
import { REVIEW_FILTERS, type ValueSource } from '../../../contract/values/session-lists.ts';
import type { Scope } from '../../../contract/values/scopes.ts';
import type { ComponentProps } from 'react';
import { optionsOf, type Option } from '../components/choice.tsx';
import { describeCondition } from '../fields/conditions.ts';
import { useFieldTitles, type TitleOf } from '../fields/field-title.tsx';
import { formatNumber } from '../format/numbers.ts';
import { PROVIDER_NAMES } from '../format/providers.ts';
import { formatShortTime } from '../format/times.ts';
import { useAssistantOptions } from './assistant-options.ts';
import { parsePairs, reanalysisOf, toMoments, type SessionsSearch } from './search.ts';
import { clean } from '../search/parse.ts';
import { texts } from '../texts/index.ts';

/** The names of the filters, by parameter. */
export const FILTER_LABELS: Record<string, string> = {
  ...texts.batches.filters,
  session_id: texts.common.sessions,
  status: texts.sessions.status,
  error_code: texts.deliveries.failure,
  type: texts.versions.properties.type,
  assistant_id: texts.kinds.asst,
  created_after: texts.lists.times.created_after,
  occurred_after: texts.lists.times.created_after,
  occurred_before: texts.batches.filters.created_before,
  delivery_status: texts.kinds.dlv,
  delivery_id: texts.common.deliveries,
  llm_model: texts.settingTitles.llm_model,
  simulated: texts.sessions.simulated,
  batch_id: texts.kinds.bat,
  metadata: texts.sessions.metadata,
  assistant_version: texts.versions.version,
  field: texts.share.parts.fields,
  values: texts.share.parts.fields,
};

export interface Filter extends Pick<ComponentProps<'input'>, 'inputMode' | 'pattern' | 'placeholder'> {
  /** The name of the search parameter. */
  name: string;
  /** Default: as in the conditions of a batch. */
  label?: string;
  /** Without options, the filter is a text input. */
  options?: readonly Option[];
  /** Folded below the other filters. */
  isRare?: boolean;
}

const BOOLEANS = optionsOf(['false', 'true'], { false: texts.fields.no, true: texts.fields.yes });

/** The filters of sessions that have no control of their own. */
export const SESSION_FILTERS: Filter[] = [
  { name: 'status', options: optionsOf(SESSION_STATUSES, texts.status) },
  { name: 'delivery_status', options: optionsOf(DELIVERY_STATUSES, texts.status) },
  { name: 'review', options: optionsOf(REVIEW_FILTERS, texts.reviews.kinds) },
  { name: 'type', options: optionsOf(ASSISTANT_TYPES, texts.types) },
  { name: 'error_code', options: optionsOf(SESSION_ERROR_CODES, texts.failures) },
  { name: 'waiting_for', options: PROVIDERS.map((value) => ({ value, label: PROVIDER_NAMES[value] })) },
  { name: 'llm_model', isRare: true, placeholder: texts.sessions.modelHint },
  { name: 'min_cost', isRare: true, inputMode: 'decimal', pattern: '[0-9]+([.][0-9]+)?' },
  { name: 'simulated', isRare: true, options: BOOLEANS },
  { name: 'reanalysis', isRare: true, options: optionsOf(['any', 'true'] as const, texts.sessions.reanalysisKinds) },
  { name: 'trial', isRare: true, options: BOOLEANS },
];

/** The scope that each batch action requires. */
export const BATCH_SCOPES: Record<BatchAction, Scope> = {
  reanalyze: 'sessions:write',
  retry: 'sessions:write',
  delete: 'sessions:delete',
  redeliver: 'webhooks:write',
  cancel: 'sessions:write',
  score: 'sessions:write',
  analyze: 'requests:write',
};

/** Returns the API filter for the filters of the session list. A named range ends now and excludes later sessions. */
export function toBatchFilter(search: SessionsSearch): BatchFilter {
  const {
    range,
    created_after,
    created_before,
    metadata,
    min_cost,
    simulated,
    trial,
    sort: _,
    columns: _columns,
    ...exact
  } = search;
  const reanalysis = reanalysisOf(search);
  const period = toMoments({ range, created_after, created_before });
  return clean({
    ...exact,
    occurred_after: period.created_after,
    occurred_before: period.created_before,
    metadata: metadata && Object.fromEntries(parsePairs(metadata)),
    min_cost: min_cost && Number(min_cost),
    simulated: simulated && simulated === 'true',
    trial: trial && trial === 'true',
    reanalysis: reanalysis && reanalysis === 'true',
  }) as BatchFilter;
}

/** Returns a function that returns a condition of the filter as a term and a value. */
export function useFactOf(filter: object) {
  const assistants = useAssistantOptions();
  const { field, corrected, assistant_id } = filter as BatchFilter;
  const titleOf = useFieldTitles(field === undefined && corrected === undefined ? undefined : assistant_id);
  return (name: string, value: unknown): [term: string, value: string] => [
    FILTER_LABELS[name] ?? name,
    typeof value === 'string' && /_(after|before)$/.test(name)
      ? formatShortTime(value)
      : printValue(name, value, assistants, titleOf),
  ];
}

/** Returns the name of a batch, otherwise what it does. */
export const titleOfBatch = ({ name, action }: BatchSummary): string => name ?? texts.batches.actions[action];

/** Returns the hosts that receive deliveries, with their numbers. */
export const printReceivers = (receivers: NonNullable<Batch['receivers']>): string =>
  receivers.map(({ host, deliveries }) => `${host} (${formatNumber(deliveries)})`).join(', ') || texts.labels.none;

/** Returns the list that shows a batch with this action; undefined: none is chosen yet. */
export const listOfBatch = (action: BatchAction | undefined) => (action === 'redeliver' ? 'deliveries' : 'experiments');

/** Returns the conditions of a filter in one line. */
export function useFilterLine(filter: object): string {
  const factOf = useFactOf(filter);
  // Originals are what a list shows by itself.
  const chosen = Object.entries(filter).filter(([name, value]) => name !== 'reanalysis' || value !== false);
  return chosen.map(([name, value]) => factOf(name, value).join(': ')).join(' · ') || texts.batches.everything;
}

function printValue(name: string, value: unknown, assistants: readonly Option[], titleOf: TitleOf): string {
  if (name === 'assistant_id') return assistants.find((option) => option.value === value)?.label ?? String(value);
  if (typeof value === 'boolean') return value ? texts.fields.yes : texts.fields.no;
  const { options } = SESSION_FILTERS.find((filter) => filter.name === name) ?? {};
  const option = typeof value === 'string' && options?.find((each) => each.value === value);
  if (option) return option.label;
  if (name === 'session_id' || name === 'delivery_id') return texts.lists.selected([value].flat().length);
  if (name === 'values') return texts.reviews.values[value as ValueSource];
  if (name === 'corrected') return titleOf(String(value));
  if (name === 'field')
    return [value]
      .flat()
      .map((condition) => describeCondition(String(condition), titleOf))
      .join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map((pair) => pair.join('='))
    .join(', ');
}
