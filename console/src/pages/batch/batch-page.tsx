/** One batch: an experiment with its verdict, or the progress of another action. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cancelBatchMutation, getBatchOptions, updateBatchMutation } from 'conversation-analysis-client/react-query';
import type { Batch } from 'conversation-analysis-client';
import { listOfBatch, printReceivers, titleOfBatch, useFilterLine } from '../../lists/batch-filter.ts';
import { useAssistantName } from '../../lists/assistant-options.ts';
import { BatchState } from '../../lists/batch-state.tsx';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader, ParentLink } from '../../components/page-header.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { reporting } from '../../components/updates.ts';
import { Id, Money, Remarks, Time } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { usePollWhile } from '../../live/events.ts';
import { isNotFound } from '../../server/problem.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { texts } from '../../texts/index.ts';
import { Experiment } from './experiment.tsx';
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
  const list = listOfBatch(data?.action);
  if (isNotFound(batch.error)) return <NotFound list="experiments" />;
  const head = {
    title: data ? titleOfBatch(data) : texts.kinds.bat,
    crumb: <ParentLink to={`/${list}`}>{texts.common[list]}</ParentLink>,
    below: data && (
      <Remarks>
        {data.action === 'reanalyze' ? (
          <AssistantLink id={String(data.filter['assistant_id'])} />
        ) : (
          data.name !== null && words.actions[data.action]
        )}
        {(data.status !== 'completed' || data.failed > 0) && <BatchState batch={data} />}
        <Time at={data.created_at} />
      </Remarks>
    ),
  };
  if (data?.action === 'reanalyze' && data.ended_at !== null && data.completed > 0)
    return (
      <Page>
        <Experiment batch={data} head={head} />
      </Page>
    );
  return (
    <Page>
      <PageHeader {...head} actions={data?.status === 'running' && <Controls batch={data} />} />
      <Loaded query={batch} lines={6}>
        {(loaded) => (
          <>
            <Progress batch={loaded} />
            <About batch={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AssistantLink({ id }: { id: string }) {
  const name = useAssistantName(id);
  return (
    name && (
      <Link to="/assistants/$assistantId/results" params={{ assistantId: id }} dir="auto">
        {name}
      </Link>
    )
  );
}

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

const OUTCOMES = ['completed', 'failed', 'canceled'] as const;

/** The status of deliveries that a batch counts under each outcome. */
const DELIVERY_OUTCOMES = { completed: 'delivered', failed: 'failed', canceled: 'stopped' } as const;

/** How far the batch is, in one line. */
function Progress({ batch }: { batch: Batch }) {
  const { batch_id, total, action, ended_at, cost_usd, held_by } = batch;
  const isRedelivery = action === 'redeliver';
  const done = OUTCOMES.reduce((sum, outcome) => sum + batch[outcome], 0);
  return (
    <div className={`row note ${styles['progress']}`} role="status">
      {ended_at === null && <progress max={Math.max(1, total)} value={done} aria-label={texts.kinds.bat} />}
      <span>{words.progress(formatNumber(done), formatNumber(total))}</span>
      {OUTCOMES.filter((outcome) => batch[outcome] > 0).map((outcome) => {
        const status = isRedelivery ? DELIVERY_OUTCOMES[outcome] : outcome;
        const text = `${texts.status[status]}: ${formatNumber(batch[outcome])}`;
        if (action === 'delete') return <span key={outcome}>{text}</span>;
        return (
          <Link key={outcome} to={isRedelivery ? '/deliveries' : '/sessions'} search={{ batch_id, status } as object}>
            {text}
          </Link>
        );
      })}
      {isPaid(batch) && (
        <span>
          {texts.sessions.cost}: <Money usd={cost_usd} />
        </span>
      )}
      {held_by !== null && <span className="warn">{words.held[held_by]}</span>}
      {batch.action === 'reanalyze' && batch.filter['review'] !== undefined && ended_at === null && (
        <span>{texts.experiment.running}</span>
      )}
    </div>
  );
}

const isPaid = ({ action }: Batch) => action === 'reanalyze' || action === 'retry';

function About({ batch }: { batch: Batch }) {
  const { batch_id, filter, assistant_version, notify, max_cost_usd, ended_at, action, receivers } = batch;
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
          [words.ended, <Time at={ended_at} />],
          [words.id, <Id value={batch_id} label={words.id} />],
        ]}
      />
    </Panel>
  );
}
