/** One batch: progress, cost and changes. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cancelBatchMutation, getBatchOptions, updateBatchMutation } from 'conversation-analysis-client/react-query';
import type { Batch } from 'conversation-analysis-client';
import { actionBelow, useBatchTitle, useFilterLine } from '../../lists/batch-filter.ts';
import { BatchState } from '../../lists/batch-state.tsx';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { Id, Money, Time } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { usePollWhile } from '../../live/events.ts';
import { isNotFound } from '../../server/problem.ts';
import { refresh } from '../../server/queries.ts';
import { NotFound } from '../../shell/fallbacks.tsx';
import { texts } from '../../texts/index.ts';
import { settingRows } from '../../analysis-settings/setting-rows.tsx';
import { BatchAccuracy } from './batch-accuracy.tsx';
import { BatchChanges } from './batch-changes.tsx';
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
  if (isNotFound(batch.error)) return <NotFound list="batches" />;
  return (
    <Page>
      <PageHeader
        title={data ? titleOf(data) : words.title}
        above={<Link to="/batches">{texts.common.batches}</Link>}
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
            <Progress batch={loaded} />
            {loaded.action === 'reanalyze' && loaded.completed > 0 && <BatchAccuracy batch={loaded} />}
            <About batch={loaded} />
            {loaded.overrides && <Overrides overrides={loaded.overrides} />}
            {loaded.action === 'reanalyze' && loaded.completed > 0 && <BatchChanges batch={loaded} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Controls({ batch: { batch_id: id, held_by } }: { batch: Batch }) {
  const options = { onError: showFailure, onSuccess: () => refresh('getBatch') };
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
  const counted = (count: number, status: Outcome) => {
    const text = formatNumber(count);
    if (count === 0 || batch.action === 'delete') return text;
    return batch.action === 'redeliver' ? (
      <Link to="/deliveries" search={{ batch_id, status: DELIVERY_OUTCOMES[status] }}>
        {text}
      </Link>
    ) : (
      <Link to="/sessions" search={{ batch_id, status }}>
        {text}
      </Link>
    );
  };
  const labelOf = (status: Outcome) => texts.status[batch.action === 'redeliver' ? DELIVERY_OUTCOMES[status] : status];
  return (
    <>
      <div className={`row note ${styles['progress']}`} role="status">
        <progress max={Math.max(1, total)} value={done} aria-label={words.title} />
        <span>{words.progress(formatNumber(done), formatNumber(total))}</span>
        {held_by !== null && <span className={styles['held']}>{words.held[held_by]}</span>}
      </div>
      <Figures>
        <Figure label={labelOf('completed')}>{counted(completed, 'completed')}</Figure>
        <Figure label={labelOf('failed')}>{counted(failed, 'failed')}</Figure>
        <Figure label={labelOf('canceled')}>{counted(canceled, 'canceled')}</Figure>
        <Figure label={texts.status.running}>{formatNumber(running)}</Figure>
        <Figure label={words.remaining}>{formatNumber(remaining)}</Figure>
        <Figure label={texts.sessions.cost}>
          <Money usd={cost_usd} />
        </Figure>
      </Figures>
    </>
  );
}

const OVERRIDES = [
  'llm_provider',
  'llm_model',
  'temperature',
  'reasoning_effort',
  'max_output_tokens',
  'fields',
  'system_prompt',
] as const;

/** The settings that replaced those of the assistant. */
function Overrides({ overrides }: { overrides: NonNullable<Batch['overrides']> }) {
  const given = OVERRIDES.filter((name) => overrides[name] !== undefined);
  return (
    <Panel title={words.overrides}>
      <Facts facts={settingRows(overrides, overrides, given).map(({ title, cells: [value] }) => [title, value])} />
    </Panel>
  );
}

function About({ batch }: { batch: Batch }) {
  const { batch_id, filter, assistant_version, notify, max_cost_usd, created_at, ended_at, action } = batch;
  const settings = assistant_version === null ? words.overrides : texts.versions.of(assistant_version);
  const filters = useFilterLine(filter);
  return (
    <Panel title={words.about}>
      <Facts
        facts={[
          [texts.lists.filters, filters],
          action === 'reanalyze' && [texts.session.tabs.settings, settings],
          max_cost_usd !== null && [words.maxCost, <Money usd={max_cost_usd} />],
          action !== 'redeliver' && [words.notify, notify ? texts.fields.yes : texts.fields.no],
          [texts.sessions.started, <Time at={created_at} />],
          [words.ended, <Time at={ended_at} />],
          [words.id, <Id value={batch_id} label={words.id} />],
        ]}
      />
    </Panel>
  );
}
