/** The list of sessions, newest first. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { getAssistantOptions } from 'conversation-analysis-client/react-query';
import { useMemo } from 'react';
import { ClipboardCheck, Layers, Plus } from 'lucide-react';
import {
  ASSISTANT_TYPES,
  DELIVERY_STATUSES,
  SESSION_ERROR_CODES,
  SESSION_STATUSES,
  type BatchAction,
} from '../../../../contract/values/constants.ts';
import { REVIEW_FILTERS } from '../../../../contract/values/session-lists.ts';
import { countSessions, listSessions, type SessionListItem } from 'conversation-analysis-client';
import { Button, ButtonLink } from '../../components/button.tsx';
import { optionsOf, type Option } from '../../components/choice.tsx';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { ConditionChips } from '../../fields/condition-chips.tsx';
import { answerColumn } from '../../fields/answer-column.tsx';
import { titlesOf } from '../../fields/field-title.tsx';
import { usePreferences } from '../../format/preferences.ts';
import { PROVIDERS } from '../../../../contract/values/providers.ts';
import { PROVIDER_NAMES } from '../../format/providers.ts';
import { FIELD_COLUMN } from '../../search/groups.ts';
import { printQuery } from '../../search/parse.ts';
import { BATCH_SCOPES } from '../../lists/batch-filter.ts';
import { texts } from '../../texts/index.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { FilterBar, useFilterChange, type Filter } from '../../lists/filter-bar.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { ExportLinks, SearchField } from '../../lists/list-parts.tsx';
import { RangeChoice } from '../../lists/range-choice.tsx';
import { LiveTable } from '../../lists/live-table.tsx';
import { toSessionsQuery, type SessionsSearch } from '../../lists/search.ts';
import { TryNow } from '../../lists/try-now.tsx';
import { sessionColumns } from './session-columns.tsx';

const route = getRouteApi('/inside/sessions');
const words = texts.sessions;
const { searched } = texts.lists;
const { kinds: reviewKinds, these } = texts.reviews;

const idOf = ({ session_id }: SessionListItem) => session_id;

const metadataOf = ({ metadata }: SessionListItem) => metadata;

export function SessionsPage() {
  const search = route.useSearch();
  const change = useFilterChange('/sessions');
  const { assistant_id, corrected } = search;
  const assistant = useQuery({
    ...getAssistantOptions({ path: { id: assistant_id ?? '' } }),
    enabled: assistant_id !== undefined,
  });
  const fields = assistant_id === undefined ? undefined : assistant.data?.fields;
  const correctedFields = corrected === undefined ? [] : [{ value: corrected, label: titlesOf(fields)(corrected) }];
  const stored = usePreferences().columns.sessions;
  const chosen = search.columns ?? stored;
  const columns = useMemo(() => {
    // The columns are there before the titles are loaded.
    const named = assistant_id === undefined ? [] : (chosen ?? []).filter((key) => key.startsWith(FIELD_COLUMN));
    const known = fields ?? named.map((key) => ({ name: key.slice(FIELD_COLUMN.length), type: '' }));
    return [...sessionColumns, ...known.map(answerColumn)];
  }, [fields, chosen, assistant_id]);
  const hasFields = assistant_id !== undefined && chosen?.some((key) => key.startsWith(FIELD_COLUMN));
  const listed = hasFields ? { ...search, include: 'fields' } : search;
  const filters = (
    <>
      <SearchField value={search.q} onChange={(q) => change('q', q)} />
      <RangeChoice search={search} onChange={change} />
      <FilterBar filters={filtersOf(useAssistantOptions(), correctedFields)} search={search} onChange={change} />
    </>
  );
  return (
    <ListFrame tab="sessions" actions={<Actions search={search} />} filters={filters}>
      <ConditionChips
        assistantId={search.assistant_id}
        conditions={search.field}
        version={search.assistant_version}
        onChange={(conditions) => change('field', conditions)}
        onVersion={() => change('assistant_version', undefined)}
      />
      {search.q !== undefined && <p className="note">{searched}</p>}
      <LiveTable
        name="sessions"
        search={listed}
        toQuery={toSessionsQuery}
        list={listSessions}
        count={countSessions}
        idOf={idOf}
        columns={columns}
        metadataOf={metadataOf}
        actionsOf={(ids, rows) => actionsOf({ session_id: [...ids] }, rows)}
        allActions={actionsOf(
          search,
          search.assistant_id === undefined ? undefined : [{ assistant_id: search.assistant_id }],
        )}
        exports={<ExportLinks size="small" query={toSessionsQuery(listed)} />}
        empty={{ title: words.none, detail: words.noneDetail, actions: <SubmitLink /> }}
      />
    </ListFrame>
  );
}

const BOOLEANS = ['false', 'true'] as const;

const filtersOf = (assistants: readonly Option[], corrected: readonly Option[]): Filter[] => [
  { name: 'status', options: optionsOf(SESSION_STATUSES, texts.status) },
  { name: 'waiting_for', options: PROVIDERS.map((value) => ({ value, label: PROVIDER_NAMES[value] })) },
  { name: 'error_code', options: optionsOf(SESSION_ERROR_CODES, texts.failures) },
  { name: 'assistant_id', options: assistants },
  { name: 'type', options: optionsOf(ASSISTANT_TYPES, texts.types) },
  { name: 'delivery_status', options: optionsOf(DELIVERY_STATUSES, texts.status) },
  { name: 'llm_model', placeholder: words.modelHint },
  { name: 'metadata', placeholder: words.metadataHint, pattern: '.+=.*' },
  { name: 'min_cost', placeholder: words.minCostHint, inputMode: 'decimal', pattern: '[0-9]+([.][0-9]+)?' },
  { name: 'simulated', label: words.providers, options: optionsOf(BOOLEANS, words.providerKinds) },
  { name: 'reanalysis', options: optionsOf(['any', 'true'] as const, words.reanalysisKinds) },
  { name: 'trial', label: words.trials, options: optionsOf(BOOLEANS, words.trialKinds) },
  { name: 'review', options: optionsOf(REVIEW_FILTERS, reviewKinds) },
  { name: 'corrected', options: corrected, isFixed: true },
  ...['session_id', 'source_session_id', 'batch_id', 'completed_after', 'completed_before'].map((name) => ({
    name,
    isFixed: true,
  })),
];

function Actions({ search }: { search: SessionsSearch }) {
  return (
    <>
      <CopyCurl path={`/v1/sessions${printQuery({ ...toSessionsQuery(search), sort: search.sort })}`} />
      <ButtonLink to="/review" search={search} scope="reviews:write">
        <ClipboardCheck size={14} aria-hidden />
        {these}
      </ButtonLink>
      <ButtonLink to="/batches/new" search={search} scope="sessions:write">
        <Layers size={14} aria-hidden />
        {texts.batches.make}
      </ButtonLink>
      <SubmitLink />
    </>
  );
}

type Selected = Partial<Pick<SessionListItem, 'session_id' | 'assistant_id' | 'waiting_for'>>;

/** The actions on selected sessions. A reanalysis requires that all belong to one assistant. */
const actionsOf = (search: SessionsSearch, rows: readonly Selected[] = []) => {
  const waiting = rows.flatMap(({ session_id, waiting_for }) => (session_id && waiting_for ? session_id : []));
  const [assistant_id, ...others] = new Set(rows.map((row) => row.assistant_id));
  const link = (action: Exclude<BatchAction, 'redeliver'>, filter: SessionsSearch = search) => (
    <ButtonLink key={action} scope={BATCH_SCOPES[action]} size="small" to="/batches/new" search={{ ...filter, action }}>
      {texts.session.actions[action]}
    </ButtonLink>
  );
  return (
    <>
      {waiting.length > 0 && <TryNow ids={waiting} size="small" />}
      {waiting.length > 0 && <TryNow ids={waiting} fallback size="small" />}
      {link('retry')}
      {assistant_id !== undefined && others.length === 0 ? (
        link('reanalyze', { ...search, assistant_id })
      ) : (
        <Button scope="sessions:write" size="small" disabled title={texts.batches.needsAssistant}>
          {texts.session.actions.reanalyze}
        </Button>
      )}
      {link('cancel')}
      {link('delete')}
      <ButtonLink to="/review" search={search} scope="reviews:write" size="small">
        {these}
      </ButtonLink>
      <ExportLinks size="small" query={toSessionsQuery(search)} />
    </>
  );
};

const SubmitLink = () => (
  <ButtonLink to="/start" look="primary" scope="requests:write">
    <Plus size={14} aria-hidden />
    {texts.shell.start}
  </ButtonLink>
);
