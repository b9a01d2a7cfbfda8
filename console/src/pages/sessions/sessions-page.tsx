/** Sessions & Logs: every conversation, the newest first. */
import { getRouteApi } from '@tanstack/react-router';
import { Download, Layers, Plus } from 'lucide-react';
import { useCallback } from 'react';
import { ASSISTANT_TYPES, DELIVERY_STATUSES, SESSION_STATUSES } from '../../../../contract/constants.ts';
import { listSessions } from '../../../../clients/typescript/src/index.ts';
import type { SessionListItem } from '../../../../clients/typescript/src/index.ts';
import { ButtonAnchor, ButtonLink } from '../../components/button.tsx';
import { ConditionChips } from '../../fields/condition-chips.tsx';
import type { DeliveryEvent, SessionEvent } from '../../live/events.ts';
import { printQuery } from '../../search/parse.ts';
import { texts } from '../../texts/index.ts';
import { FilterChoice, FilterText, ListFrame, RangeChoice, SearchField } from '../lists/list-frame.tsx';
import { LiveTable } from '../lists/live-table.tsx';
import { useAssistantOptions } from '../lists/use-assistants.ts';
import { toQuery, useFilterChange } from '../lists/use-list-search.ts';
import type { Told } from '../lists/use-live-list.ts';
import { sessionColumns } from './session-columns.tsx';
import { parseSessionsSearch } from './search.ts';
import type { SessionsSearch } from './search.ts';

const route = getRouteApi('/inside/sessions');
const idOf = ({ session_id }: SessionListItem) => session_id;

const toldBy = (event: SessionEvent | DeliveryEvent): Told<SessionListItem> | undefined => {
  if ('delivery_id' in event) return undefined;
  const { session_id: id, status, total_cost, completed_at } = event;
  return { id, now: { status, total_cost, completed_at } };
};

const read = async (query: Record<string, unknown>, signal: AbortSignal) =>
  (await listSessions({ query, signal, throwOnError: true })).data;

export function SessionsPage() {
  const search = route.useSearch();
  const change = useFilterChange('/sessions', search, parseSessionsSearch);
  const onSearch = useCallback((q: string) => change('q', q === '' ? undefined : q), [change]);
  return (
    <ListFrame
      tab="sessions"
      actions={<Actions search={search} />}
      filters={<Filters {...{ search, change, onSearch }} />}
    >
      <ConditionChips
        conditions={search.field}
        version={search.assistant_version}
        onChange={(conditions) => change('field', conditions)}
        onVersion={() => change('assistant_version', undefined)}
      />
      <LiveTable
        name="sessions"
        search={search}
        read={read}
        idOf={idOf}
        toldBy={toldBy}
        columns={sessionColumns}
        empty={{ title: texts.sessions.none, detail: texts.sessions.noneDetail, actions: <SubmitLink /> }}
      />
    </ListFrame>
  );
}

const TRIALS = (['false', 'true'] as const).map((value) => ({ value, label: texts.sessions.trialKinds[value] }));

const VENDORS = (['false', 'true'] as const).map((value) => ({ value, label: texts.sessions.vendorKinds[value] }));

interface FiltersProps {
  search: SessionsSearch;
  change: (name: string, value: string | undefined) => void;
  onSearch: (q: string) => void;
}

function Filters({ search, change, onSearch }: FiltersProps) {
  const assistants = useAssistantOptions();
  const statuses = SESSION_STATUSES.map((value) => ({ value, label: texts.status[value] }));
  const types = ASSISTANT_TYPES.map((value) => ({ value, label: texts.sessions.types[value] }));
  const deliveries = DELIVERY_STATUSES.map((value) => ({ value, label: texts.status[value] }));
  const filter = (name: Exclude<keyof SessionsSearch, 'range' | 'field' | 'assistant_version'>) => ({
    name,
    value: search[name],
    onChange: change,
  });
  return (
    <>
      <SearchField value={search.q} onChange={onSearch} />
      <RangeChoice search={search} onChange={change} />
      <FilterChoice {...filter('status')} label={texts.sessions.status} options={statuses} />
      <FilterChoice {...filter('assistant_id')} label={texts.sessions.assistant} options={assistants} />
      <FilterChoice {...filter('type')} label={texts.sessions.type} options={types} />
      <FilterChoice {...filter('delivery_status')} label={texts.sessions.delivery} options={deliveries} />
      <FilterText {...filter('llm_model')} label={texts.sessions.model} placeholder={texts.sessions.model} />
      <FilterChoice {...filter('simulated')} label={texts.sessions.vendors} options={VENDORS} />
      <FilterChoice {...filter('trial')} label={texts.sessions.trials} options={TRIALS} />
      <FilterText
        {...filter('metadata')}
        label={texts.sessions.metadata}
        placeholder={texts.sessions.metadataHint}
        pattern=".+=.*"
      />
      <FilterText
        {...filter('min_cost')}
        label={texts.sessions.minCost}
        placeholder={texts.sessions.minCostHint}
        inputMode="decimal"
        pattern="[0-9]+([.][0-9]+)?"
      />
    </>
  );
}

function Actions({ search }: { search: SessionsSearch }) {
  const href = (format: string) => `/api/v1/exports/sessions${printQuery({ ...toQuery(search), format })}`;
  return (
    <>
      <ButtonAnchor href={href('csv')} download>
        <Download size={14} aria-hidden />
        CSV
      </ButtonAnchor>
      <ButtonAnchor href={href('jsonl')} download>
        <Download size={14} aria-hidden />
        JSONL
      </ButtonAnchor>
      <ButtonLink to="/batches/new" search={search}>
        <Layers size={14} aria-hidden />
        {texts.batches.make}
      </ButtonLink>
      <SubmitLink />
    </>
  );
}

const SubmitLink = () => (
  <ButtonLink to="/start" look="primary">
    <Plus size={14} aria-hidden />
    {texts.shell.start}
  </ButtonLink>
);
