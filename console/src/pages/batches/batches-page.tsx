/** Sessions & Logs: every batch, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { listBatchesInfiniteOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Batch } from '../../../../clients/typescript/src/index.ts';
import { BATCH_STATUSES } from '../../../../contract/constants.ts';
import { ButtonLink } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { texts } from '../../texts/index.ts';
import { FilterChoice, ListBody, ListFrame } from '../lists/list-frame.tsx';
import { useAssistantOptions } from '../lists/use-assistants.ts';
import { columnsOf } from './batch-columns.tsx';
import { parseBatchesSearch } from './batches-search.ts';

const route = getRouteApi('/inside/batches');
const words = texts.batches;

/** Each event of a batch touches its own page; the list is read anew now and then. */
const POLL_MS = 5_000;

const STATUSES = BATCH_STATUSES.map((value) => ({ value, label: texts.status[value] }));

export function BatchesPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const assistants = useAssistantOptions();
  const query = search.status === undefined ? {} : { status: search.status };
  const pages = useInfiniteQuery({
    ...listBatchesInfiniteOptions({ query }),
    initialPageParam: { query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some(({ ended_at }) => ended_at === null) ? POLL_MS : false,
  });
  const rows: Batch[] = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const toSessions = <ButtonLink to="/sessions">{texts.lists.sessions}</ButtonLink>;
  const filter = (
    <FilterChoice
      label={words.status}
      name="status"
      value={search.status}
      options={STATUSES}
      onChange={(name, value) => void navigate({ to: '/batches', search: parseBatchesSearch({ [name]: value }) })}
    />
  );
  return (
    <ListFrame tab="batches" actions={toSessions} filters={filter}>
      <ListBody
        list={{ pages, rows, newCount: 0, showNew: () => undefined }}
        hasFilters={search.status !== undefined}
        empty={{ title: words.none, detail: words.noneDetail, actions: toSessions }}
      >
        <DataTable
          caption={texts.lists.batches}
          columns={columnsOf(assistants)}
          rows={rows}
          rowKey={({ batch_id }) => batch_id}
        />
      </ListBody>
    </ListFrame>
  );
}
