/** One batch: progress, cost and changes. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cancelBatchMutation, getBatchOptions, updateBatchMutation } from 'conversation-analysis-client/react-query';
import type { ReactNode } from 'react';
import type { Batch } from 'conversation-analysis-client';
import { actionBelow, listOfBatch, printReceivers, useBatchTitle, useFilterLine } from '../../lists/batch-filter.ts';
import { BatchState } from '../../lists/batch-state.tsx';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader, ParentLink } from '../../components/page-header.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { reporting } from '../../components/updates.ts';
import { Id, Money, Time } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { usePollWhile } from '../../live/events.ts';
import { isNotFound } from '../../server/problem.ts';
import { NotFound } from '../../shell/fallbacks.tsx';
import { texts } from '../../texts/index.ts';
import { BatchAccuracy } from './batch-accuracy.tsx';
import { BatchChanges } from './batch-changes.tsx';
import { Differences } from './differences.tsx';
import styles from './batch.module.css';

const route = getRouteApi('/inside/batches/$batchId');
const words = texts.batches;

export function BatchPage() {
  const { batchId: id } = route.useParams();
  const batch = useQuery({
    ...getBatchOptions({ path: { id } }),
    refetchInterval: usePollWhile<Batch>((data) => data?.ended_at === null),
  });
  const { data } = batch;
  const titleOf = useBatchTitle();
  const isExperiment = data?.action === 'reanalyze';
  const list = listOfBatch(data?.action);
  if (isNotFound(batch.error)) return <NotFound list="experiments" />;
  return (
    <Page>
      <PageHeader
        title={data ? titleOf(data) : texts.kinds.bat}
        crumb={<ParentLink to={`/${list}`}>{texts.common[list]}</ParentLink>}
        below={
          data && (
            <span className="row">
              {actionBelow(data)}
              <BatchState batch={data} />
            </span>
          )
        }
        actions={data?.status === 'running' && <Controls batch={data} />}
      />
      <Loaded query={batch} lines={6}>
        {(loaded) => (
          <>
            {loaded.ended_at === null && <Progress batch={loaded} />}
            {isExperiment && loaded.completed > 0 ? (
              <BatchAccuracy batch={loaded}>
                <Differences batch={loaded} />
                <div className={`stack ${styles['lower']}`}>
                  <BatchChanges batch={loaded} />
                </div>
              </BatchAccuracy>
            ) : (
              <Rest batch={loaded} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Rest = ({ batch }: { batch: Batch }) => (
  <>
    {batch.ended_at !== null && <Progress batch={batch} />}
    <About batch={batch} />
  </>
);

function Controls({ batch: { batch_id: id, held_by } }: { batch: Batch }) {
  const options = reporting('getBatch');
  const update = useMutation({ ...updateBatchMutation(), ...options });
  const cancel = useMutation({ ...cancelBatchMutation(), ...options });
  return (
    <>
      {held_by === 'max_cost' && (
        <Button
          scope="sessions:write"
          disabled={update.isPending}
          onClick={() => update.mutate({ path: { id }, body: { max_cost_usd: null } })}
        >
          {words.removeLimit}
        </Button>
      )}
      <Button scope="sessions:write" disabled={cancel.isPending} onClick={() => cancel.mutate({ path: { id } })}>
        {words.cancel}
      </Button>
    </>
  );
}

type Outcome = 'completed' | 'failed' | 'canceled';

/** The status of deliveries that a batch counts under each outcome. */
const DELIVERY_OUTCOMES = { completed: 'delivered', failed: 'failed', canceled: 'stopped' } as const;

function Progress({ batch }: { batch: Batch }) {
  const { batch_id, total, remaining, running, completed, failed, canceled, cost_usd, held_by } = batch;
  const done = completed + failed + canceled;
  const isRedelivery = batch.action === 'redeliver';
  const counted = (count: number, status: Outcome) => {
    const text = formatNumber(count);
    if (count === 0 || batch.action === 'delete') return text;
    return isRedelivery ? (
      <Link to="/deliveries" search={{ batch_id, status: DELIVERY_OUTCOMES[status] }}>
        {text}
      </Link>
    ) : (
      <Link to="/sessions" search={{ batch_id, status }}>
        {text}
      </Link>
    );
  };
  const labelOf = (status: Outcome) => texts.status[isRedelivery ? DELIVERY_OUTCOMES[status] : status];
  const outcomes: [string, number, ReactNode?][] = [
    [labelOf('completed'), completed, counted(completed, 'completed')],
    [labelOf('failed'), failed, counted(failed, 'failed')],
    [labelOf('canceled'), canceled, counted(canceled, 'canceled')],
    [texts.status.running, running],
    [words.remaining, remaining],
  ];
  return (
    <>
      <div className={`row note ${styles['progress']}`} role="status">
        {batch.ended_at === null && <progress max={Math.max(1, total)} value={done} aria-label={texts.kinds.bat} />}
        <span>{words.progress(formatNumber(done), formatNumber(total))}</span>
        {held_by !== null && <span className={styles['held']}>{words.held[held_by]}</span>}
      </div>
      <Figures>
        {outcomes.map(
          ([label, count, shown = formatNumber(count)], place) =>
            (count > 0 || place === 0) && (
              <Figure key={label} label={label}>
                {shown}
              </Figure>
            ),
        )}
        {isPaid(batch) && (
          <Figure label={texts.sessions.cost}>
            <Money usd={cost_usd} />
          </Figure>
        )}
      </Figures>
    </>
  );
}

const isPaid = ({ action }: Batch) => action === 'reanalyze' || action === 'retry';

function About({ batch }: { batch: Batch }) {
  const { batch_id, filter, assistant_version, notify, max_cost_usd, created_at, ended_at, action, receivers } = batch;
  const settings = assistant_version === null ? words.overrides : texts.versions.of(assistant_version);
  const filters = useFilterLine(filter);
  return (
    <Panel title={words.about}>
      <Facts
        facts={[
          [texts.lists.filters, filters],
          action === 'reanalyze' && [texts.shell.settings, settings],
          max_cost_usd !== null && [words.maxCost, <Money usd={max_cost_usd} />],
          receivers !== null && [words.receivers, printReceivers(receivers)],
          isPaid(batch) && [words.notify, notify ? texts.fields.yes : texts.fields.no],
          [texts.sessions.started, <Time at={created_at} />],
          [words.ended, <Time at={ended_at} />],
          [words.id, <Id value={batch_id} label={words.id} />],
        ]}
      />
    </Panel>
  );
}
