/** One batch: how far it is, what it cost, and what a reanalysis changed. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  cancelBatchMutation,
  getBatchOptions,
  updateBatchMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Batch } from '../../../../clients/typescript/src/index.ts';
import type { SessionStatus } from '../../../../contract/constants.ts';
import { sayFilter } from '../../batches/batch-filter.ts';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { Status } from '../../components/status.tsx';
import { sayFailure } from '../../components/toasts.tsx';
import { Id, Money, Time } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { usePollInterval } from '../../live/events.ts';
import { isNotFound } from '../../server/problem.ts';
import { refresh } from '../../server/queries.ts';
import { NotFound } from '../../shell/fallbacks.tsx';
import { texts } from '../../texts/index.ts';
import { useAssistantOptions } from '../lists/use-assistants.ts';
import { BatchChanges } from './batch-changes.tsx';
import styles from './batch.module.css';

const route = getRouteApi('/inside/batches/$batchId');
const words = texts.batches;

export function BatchPage() {
  const { batchId: id } = route.useParams();
  const poll = usePollInterval(true);
  const { data, error, refetch } = useQuery({
    ...getBatchOptions({ path: { id } }),
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? poll : false),
  });
  if (isNotFound(error)) return <NotFound />;
  return (
    <Page>
      <PageHeader
        title={data ? words.actions[data.action] : words.title}
        above={<Link to="/batches">{texts.lists.batches}</Link>}
        below={data && <Status name={data.status} />}
        actions={data?.status === 'running' && <Steering batch={data} />}
      />
      {error && !data && <Problem error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton lines={6} />}
      {data && <Progress batch={data} />}
      {data?.action === 'reanalyze' && data.completed > 0 && <BatchChanges batch={data} />}
    </Page>
  );
}

function Steering({ batch: { batch_id: id, held_by } }: { batch: Batch }) {
  const told = { onError: sayFailure, onSuccess: () => refresh('getBatch') };
  const lift = useMutation({ ...updateBatchMutation(), ...told });
  const cancel = useMutation({ ...cancelBatchMutation(), ...told });
  return (
    <>
      {held_by === 'max_cost' && (
        <Button disabled={lift.isPending} onClick={() => lift.mutate({ path: { id }, body: { max_cost_usd: null } })}>
          {words.liftLimit}
        </Button>
      )}
      <Button disabled={cancel.isPending} onClick={() => cancel.mutate({ path: { id } })}>
        {words.cancel}
      </Button>
    </>
  );
}

function Progress({ batch }: { batch: Batch }) {
  const { batch_id, total, remaining, running, completed, failed, canceled, cost_usd, held_by } = batch;
  const done = completed + failed + canceled;
  const counted = (count: number, status: SessionStatus) =>
    count > 0 && batch.action !== 'delete' ? (
      <Link to="/sessions" search={{ batch_id, status }}>
        {formatNumber(count)}
      </Link>
    ) : (
      formatNumber(count)
    );
  return (
    <>
      <div className={styles['progress']} role="status">
        <ProgressBar max={Math.max(1, total)} value={done} aria-label={words.title} />
        <span>{words.progress(formatNumber(done), formatNumber(total))}</span>
        {held_by !== null && <span className={styles['held']}>{words.held[held_by]}</span>}
      </div>
      <Figures>
        <Figure label={texts.status.completed}>{counted(completed, 'completed')}</Figure>
        <Figure label={texts.status.failed}>{counted(failed, 'failed')}</Figure>
        <Figure label={texts.status.canceled}>{counted(canceled, 'canceled')}</Figure>
        <Figure label={texts.status.running}>{formatNumber(running)}</Figure>
        <Figure label={words.remaining}>{formatNumber(remaining)}</Figure>
        <Figure label={words.cost}>
          <Money usd={cost_usd} />
        </Figure>
      </Figures>
      <About batch={batch} />
    </>
  );
}

function About({ batch }: { batch: Batch }) {
  const { batch_id, filter, assistant_version, notify, max_cost_usd, created_at, ended_at, action } = batch;
  const assistants = useAssistantOptions();
  return (
    <Panel title={words.about}>
      <Facts
        facts={[
          ...sayFilter(filter, (id) => assistants.find(({ value }) => value === id)?.label),
          ...(action === 'reanalyze'
            ? [[words.settings, assistant_version === null ? words.changed : words.version(assistant_version)] as const]
            : []),
          ...(max_cost_usd === null ? [] : [[words.maxCost, <Money key="limit" usd={max_cost_usd} />] as const]),
          [words.notify, notify ? texts.fields.yes : texts.fields.no],
          [words.begun, <Time key="begun" at={created_at} />],
          [words.ended, <Time key="ended" at={ended_at} />],
          [words.id, <Id key="id" value={batch_id} label={words.id} />],
        ]}
      />
    </Panel>
  );
}
