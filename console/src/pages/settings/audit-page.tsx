/** The audit trail of the workspace, newest first. */
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import {
  listAuditEventsInfiniteOptions,
  listBatchesOptions,
  listKeysOptions,
  listSessionsOptions,
} from 'conversation-analysis-client/react-query';
import type { AuditEvent, SessionListItem } from 'conversation-analysis-client';
import { AUDIT_ACTIONS } from '../../../../contract/values/constants.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Creator } from '../../components/creator.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { firstValue } from '../../format/metadata.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { targetOf } from '../../palette/use-entries.ts';
import { clean, oneOf } from '../../search/parse.ts';
import { useMay } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { MoreButton } from '../../lists/list-parts.tsx';
import styles from './settings.module.css';

const route = getRouteApi('/inside/settings/audit');
const words = texts.audit;
/** Returns the name of an event, which may be newer than this console. */
const nameOf = (action: string) =>
  (words.actions as Partial<Record<string, string>>)[action] ??
  action.charAt(0).toUpperCase() + action.slice(1).replaceAll('_', ' ');

const PAGE = 50;

export function AuditPage() {
  const action = oneOf(route.useSearch(), 'action', AUDIT_ACTIONS);
  const navigate = route.useNavigate();
  const query = clean({ action, limit: PAGE });
  const events = useInfiniteQuery({
    ...listAuditEventsInfiniteOptions({ query }),
    initialPageParam: { query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const names = useNames(events.data?.pages.map(({ data }) => data) ?? []);
  return (
    <>
      <div className={`row ${styles['head']}`}>
        <p>{words.detail}</p>
        <Choice
          label={texts.deliveries.event}
          value={action ?? ''}
          options={[
            { value: '' as const, label: words.anyAction },
            ...AUDIT_ACTIONS.map((value) => ({ value, label: nameOf(value) })),
          ]}
          onChoose={(chosen) => void navigate({ search: chosen ? { action: chosen } : {}, replace: true })}
        />
      </div>
      <Loaded query={events} lines={8}>
        {({ pages }) =>
          pages[0]?.data.length === 0 ? (
            <EmptyState
              icon={ScrollText}
              title={action ? texts.lists.noMatch : words.none}
              actions={
                action && (
                  <Button onClick={() => void navigate({ search: {}, replace: true })}>
                    {texts.labels.clearFilters}
                  </Button>
                )
              }
            />
          ) : (
            <DataTable
              isCards
              caption={texts.settings.audit}
              columns={columnsOf(names)}
              rows={pages.flatMap(({ data }) => data)}
              rowKey={({ audit_id }) => audit_id}
            />
          )
        }
      </Loaded>
      <MoreButton pages={events} />
    </>
  );
}

/** Returns the names of the sessions, assistants, tokens and batches of these pages, by ID. */
function useNames(pages: readonly (readonly AuditEvent[])[]): ReadonlyMap<string, string> {
  const may = useMay();
  const sessions = useQueries({
    queries: pages.map((events) => {
      const session_id = [...new Set(events.flatMap(({ object_id: id }) => (id?.startsWith('sess_') ? [id] : [])))];
      return {
        ...listSessionsOptions({ query: { session_id } }),
        enabled: session_id.length > 0 && may('sessions:read'),
      };
    }),
  });
  const keys = useQuery({ ...listKeysOptions(), enabled: may('keys:read') });
  const batches = useQuery({ ...listBatchesOptions(), enabled: may('sessions:read') });
  return new Map([
    ...sessions.flatMap(({ data }) => data?.data ?? []).map(nameOfSession),
    ...useAssistantOptions().map(({ value, label }) => [value, label] as const),
    ...(keys.data?.data.map(({ key_id, name }) => [key_id, name] as const) ?? []),
    ...(batches.data?.data.map(({ batch_id, name }) => [batch_id, name ?? texts.kinds.bat] as const) ?? []),
  ]);
}

const nameOfSession = ({ session_id, metadata, assistant }: SessionListItem) =>
  [session_id, firstValue(metadata) ?? assistant.name] as const;

const columnsOf = (names: ReadonlyMap<string, string>): readonly Column<AuditEvent>[] => [
  { key: 'at', title: words.at, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'action',
    title: texts.deliveries.event,
    cell: ({ action }) => <strong className="nowrap">{nameOf(action)}</strong>,
  },
  {
    key: 'object',
    title: words.object,
    isWide: true,
    cell: ({ object_id: id, details }) => (
      <ObjectLink id={id} name={details['name'] ?? details['email'] ?? names.get(id ?? '')} />
    ),
  },
  {
    key: 'actor',
    title: words.actor,
    cell: ({ actor_id, actor_user_id }) => {
      const id = actor_id?.startsWith('key_') ? actor_id : actor_user_id;
      return id === null ? <Nothing /> : <Creator id={id} />;
    },
  },
  { key: 'address', title: words.address, cell: ({ address }) => address ?? <Nothing /> },
];

/** The name of the object, or its ID if it is gone; a link if the object has a page. */
function ObjectLink({ id, name }: { id: string | null; name: string | number | undefined }) {
  if (id === null) return name ?? <Nothing />;
  if (id.startsWith('user_')) return <Creator id={id} />;
  const target = targetOf(id);
  const shown = (
    <bdi title={id} className={styles['object']}>
      {name ?? <code className="nowrap">{`${id.slice(0, 10)}…${id.slice(-4)}`}</code>}
    </bdi>
  );
  return target && name !== undefined ? (
    <Link {...target} data-row-link>
      {shown}
    </Link>
  ) : (
    shown
  );
}
