/** The audit trail of the workspace, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { listAuditEventsInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { AuditEvent } from 'conversation-analysis-client';
import { AUDIT_ACTIONS } from '../../../../contract/values/constants.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Creator } from '../../components/creator.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { targetOf } from '../../palette/use-entries.ts';
import { clean, oneOf } from '../../search/parse.ts';
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
              caption={texts.settings.audit}
              columns={COLUMNS}
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

const COLUMNS: readonly Column<AuditEvent>[] = [
  { key: 'at', title: words.at, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'action',
    title: texts.deliveries.event,
    isWide: true,
    cell: ({ action }) => nameOf(action),
  },
  { key: 'object', title: words.object, isSecondary: true, cell: (event) => <ObjectLink event={event} /> },
  {
    key: 'actor',
    title: words.actor,
    cell: ({ actor_id, actor_user_id }) => {
      const id = actor_id?.startsWith('key_') ? actor_id : actor_user_id;
      return id === null ? <Nothing /> : <Creator id={id} />;
    },
  },
  { key: 'address', title: words.address, isSecondary: true, cell: ({ address }) => address ?? <Nothing /> },
];

/** The name of the object, or its ID; a link if the object has a page. */
function ObjectLink({ event: { object_id: id, details } }: { event: AuditEvent }) {
  const name = details['name'] ?? details['email'];
  if (id === null) return name ?? <Nothing />;
  const target = targetOf(id);
  const shown = <bdi title={id}>{name ?? <code className="nowrap">{`${id.slice(0, 10)}…${id.slice(-4)}`}</code>}</bdi>;
  return target ? <Link {...target}>{shown}</Link> : shown;
}
