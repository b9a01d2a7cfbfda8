/** The list of sessions, newest first. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { getAssistantOptions } from 'conversation-analysis-client/react-query';
import { useMemo } from 'react';
import { ClipboardCheck, Plus } from 'lucide-react';
import { UNFINISHED_SESSION_STATUSES, type BatchAction } from '../../../../contract/values/constants.ts';
import { countSessions, listSessions, type SessionListItem } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Menu } from '../../components/menu.tsx';
import { answerColumn } from '../../fields/answer-column.tsx';
import { usePreferences } from '../../format/preferences.ts';
import { FIELD_COLUMN } from '../../search/groups.ts';
import { BATCH_SCOPES, SESSION_FILTERS } from '../../lists/batch-filter.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { useDataKeys } from '../../lists/data-keys.ts';
import { ExportMenu } from '../../lists/export-menu.tsx';
import { FilterBar, useFilterChange } from '../../lists/filter-bar.tsx';
import { SearchField } from '../../lists/list-parts.tsx';
import { LiveTable } from '../../lists/live-table.tsx';
import { RangeChoice } from '../../lists/range-choice.tsx';
import { toSessionsQuery, type SessionsSearch } from '../../lists/search.ts';
import { useAnswers, useDataFilter } from '../../lists/session-values.ts';
import { ValuesFilter } from '../../lists/values-filter.tsx';
import { texts } from '../../texts/index.ts';
import { extraColumns, METADATA_COLUMN, metadataColumn, summaryColumn, timeColumn } from './session-columns.tsx';

const route = getRouteApi('/inside/sessions');
const words = texts.sessions;
const { these } = texts.reviews;

const idOf = ({ session_id }: SessionListItem) => session_id;

/** Number of the assistant's answers, and of keys of the data, that a list shows unless columns are chosen. */
const SHOWN_ANSWERS = 2;
const SHOWN_KEYS = 1;

export function SessionsPage() {
  const search = route.useSearch();
  const { columns, isWithAnswers } = useSessionColumns(search);
  const change = useFilterChange('/sessions');
  const answers = useAnswers(search, change);
  const data = useDataFilter(search, change);
  const assistants = useAssistantOptions();
  const { assistant_id = '' } = search;
  // Of a deleted assistant, only the ID is known.
  const known = ['', ...assistants.map(({ value }) => value)].includes(assistant_id);
  const include = [isWithAnswers ? 'fields' : [], search.q === undefined ? [] : 'hit'].flat().join(',') || undefined;
  const listed = { ...search, include };
  return (
    <LiveTable
      name="sessions"
      search={listed}
      toQuery={toSessionsQuery}
      list={listSessions}
      count={countSessions}
      idOf={idOf}
      columns={columns}
      actionsOf={(ids, rows, count) => (
        <Actions search={rows ? { session_id: [...ids] } : search} {...{ rows, count }} />
      )}
      moreOf={(count) => <BatchLinks search={search} count={count} />}
      hasAll
      empty={{ title: words.none, detail: words.noneDetail, actions: <SubmitLink /> }}
      frame={{
        actions: (
          <>
            <ButtonLink to="/review" search={search} scope="reviews:write" data-wide>
              <ClipboardCheck size={14} aria-hidden />
              {these}
            </ButtonLink>
            <SubmitLink />
          </>
        ),
        first: (
          <>
            <SearchField value={search.q} onChange={(q) => change('q', q)} />
            <RangeChoice search={search} onChange={change} />
          </>
        ),
        filters: (
          <>
            <Choice
              label={texts.kinds.asst}
              value={assistant_id}
              options={[
                { value: '', label: texts.lists.allAssistants },
                ...(known ? [] : [{ value: assistant_id, label: assistant_id }]),
                ...assistants,
              ]}
              onChoose={(id) => change('assistant_id', id || undefined)}
            />
            <ValuesFilter label={texts.lists.answer} asked={answers} />
            <ValuesFilter label={data[0]?.label ?? ''} asked={data} />
            <FilterBar filters={SESSION_FILTERS} search={search} onChange={change} />
          </>
        ),
        tools: <ExportMenu query={toSessionsQuery(search)} />,
      }}
    />
  );
}

/** Returns all columns of the list, and whether the rows need their answers. */
function useSessionColumns({ assistant_id, columns: inUrl, q }: SessionsSearch) {
  const { data } = useQuery({
    ...getAssistantOptions({ path: { id: assistant_id ?? '' } }),
    enabled: assistant_id !== undefined,
  });
  const fields = assistant_id === undefined ? undefined : data?.fields;
  const stored = usePreferences().columns.sessions;
  const chosen = inUrl ?? stored;
  const { keys } = useDataKeys();
  const columns = useMemo(() => {
    // The columns are there before the titles are loaded.
    const named = (prefix: string) =>
      chosen?.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)) ?? [];
    const known = fields ?? (assistant_id === undefined ? [] : named(FIELD_COLUMN).map((name) => ({ name, type: '' })));
    return [
      timeColumn,
      ...[...new Set([...keys, ...named(METADATA_COLUMN)])].map((key, at) => metadataColumn(key, at >= SHOWN_KEYS)),
      summaryColumn(q),
      ...known.map((field, at) => answerColumn(field, at >= SHOWN_ANSWERS)),
      ...extraColumns,
    ];
  }, [fields, chosen, assistant_id, keys, q]);
  const isWithAnswers = assistant_id !== undefined && (chosen?.some((key) => key.startsWith(FIELD_COLUMN)) ?? true);
  return { columns, isWithAnswers };
}

interface ActionsProps {
  search: SessionsSearch;
  /** Undefined: all sessions of the search. */
  rows?: readonly SessionListItem[] | undefined;
  /** The number of sessions of the search, in words; empty until it is known. */
  count: string;
}

/** The actions on selected sessions. */
function Actions({ search, rows, count }: ActionsProps) {
  const [assistant_id, ...others] = rows ? new Set(rows.map((row) => row.assistant_id)) : [search.assistant_id];
  const ofOne = { ...search, assistant_id: others.length === 0 ? assistant_id : undefined };
  return (
    <>
      <ButtonLink to="/review" search={search} scope="reviews:write">
        {these}
      </ButtonLink>
      <ExportMenu query={toSessionsQuery(ofOne)} />
      <Menu>
        <BatchLinks search={ofOne} {...{ rows, count }} />
      </Menu>
    </>
  );
}

/**
 * Links to the actions that some of the sessions can have, with their number. All sessions of a search are retried or canceled only
 * if the search asks for such ones. A reanalysis requires that all belong to one assistant.
 */
function BatchLinks({ search, rows, count }: ActionsProps) {
  const { assistant_id: id = '', status, error_code } = search;
  const assistants = useAssistantOptions();
  const { data: assistant } = useQuery({ ...getAssistantOptions({ path: { id } }), enabled: id !== '' });
  const sayCount = (number: number) => number > 0 && texts.lists.counts.sessions(number, false);
  const all = rows ? sayCount(rows.length) : count;
  const countOf = (isWanted: boolean, matches: (row: SessionListItem) => boolean) =>
    rows ? sayCount(rows.filter(matches).length) : isWanted && count;
  const link = (action: BatchAction, of: string | false = all, filter: object = search) =>
    of !== false && (
      <ButtonLink
        scope={BATCH_SCOPES[action]}
        to="/batches/new"
        search={{ ...filter, action }}
        data-danger={action === 'delete' || undefined}
      >
        {texts.batches.actions[action]} {of && `(${of})`}
      </ButtonLink>
    );
  const isFailed = (name: string | undefined) => name === 'failed';
  const isUnfinished = (name: string | undefined) => UNFINISHED_SESSION_STATUSES.some((each) => each === name);
  const ended = rows?.flatMap(({ delivery }) => (delivery && delivery.status !== 'pending' ? delivery : [])) ?? [];
  const ofEnded = { reanalysis: 'any', delivery_id: ended.map((each) => each.delivery_id) };
  return (
    <>
      {id !== '' && link('reanalyze')}
      {assistants.length > 1 && link('analyze')}
      {assistant?.fields?.some(({ type }) => type === 'score') && link('score')}
      {link(
        'retry',
        countOf(isFailed(status) || error_code !== undefined, (row) => isFailed(row.status)),
      )}
      {link(
        'cancel',
        countOf(isUnfinished(status), (row) => isUnfinished(row.status)),
      )}
      {ended.length > 0 && link('redeliver', texts.lists.counts.deliveries(ended.length, false), ofEnded)}
      {link('delete')}
    </>
  );
}

const SubmitLink = () => (
  <ButtonLink to="/start" look="primary" scope="requests:write">
    <Plus size={14} aria-hidden />
    {texts.shell.start}
  </ButtonLink>
);
