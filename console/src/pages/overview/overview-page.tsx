/** The overview. Each number links to its rows. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LayoutDashboard } from 'lucide-react';
import { getStatsOptions } from 'conversation-analysis-client/react-query';
import type { StatsReport, StatsTotals } from 'conversation-analysis-client';
import { DELIVERY_STATUSES, SESSION_STATUSES } from '../../../../contract/constants.ts';
import type { DeliveryStatus, SessionStatus } from '../../../../contract/constants.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { Duration } from '../../components/values.tsx';
import { MINUTE_MS, useSteppedNow } from '../../format/clock.ts';
import { OVERVIEW_RANGES } from '../../search/period.ts';
import type { OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { RedeliverMany } from '../deliveries/redeliver-many.tsx';
import { BudgetPanel } from '../usage/budget-panel.tsx';
import { CountLink, FailingAssistants } from './failing-assistants.tsx';
import styles from './overview.module.css';
import { RetryingDeliveries } from './retrying-deliveries.tsx';

const REFRESH_MS = 15_000;
const HOUR_MS = 3_600_000;
const HOURS: Record<OverviewRange, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

const route = getRouteApi('/inside/');

export function OverviewPage() {
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const now = useSteppedNow(MINUTE_MS);
  const from = new Date(now - HOURS[range] * HOUR_MS).toISOString();
  const query = { from, interval: 'day', group_by: 'assistant' } as const;
  const stats = useQuery({
    ...getStatsOptions({ query }),
    refetchInterval: REFRESH_MS,
    // The start of the range moves every minute.
    placeholderData: keepPreviousData,
  });
  return (
    <Page>
      <PageHeader
        title={texts.overview.title}
        actions={
          <>
            <Choice
              label={texts.lists.range}
              options={OVERVIEW_RANGES.map((value) => ({ value, label: texts.lists.ranges[value] }))}
              value={range}
              onChange={({ target }) =>
                void navigate({ search: { range: target.value as OverviewRange }, replace: true })
              }
            />
            <CopyCurl path={`/v1/stats?${new URLSearchParams(query).toString()}`} />
          </>
        }
      />
      <Loaded query={stats} lines={8}>
        {(report) => <Report report={report} range={range} />}
      </Loaded>
    </Page>
  );
}

function Report({ report: { totals, data, from }, range }: { report: StatsReport; range: OverviewRange }) {
  const { sessions, deliveries } = totals;
  if ([...Object.values(sessions), ...Object.values(deliveries)].every((count) => count === 0)) {
    return (
      <EmptyState
        icon={LayoutDashboard}
        title={texts.overview.none}
        detail={texts.overview.noneDetail}
        actions={
          <ButtonLink to="/start" look="primary">
            {texts.shell.start}
          </ButtonLink>
        }
      />
    );
  }
  return (
    <>
      <Section title={texts.lists.sessions}>
        <StatusFigures to="/sessions" statuses={SESSION_STATUSES} counts={sessions} range={range} />
      </Section>
      <Section title={texts.lists.deliveries}>
        <StatusFigures to="/deliveries" statuses={DELIVERY_STATUSES} counts={deliveries} range={range} />
        {deliveries.failed > 0 && (
          <div>
            <RedeliverMany search={{ status: 'failed', range }} />
          </div>
        )}
        {deliveries.pending > 0 && <RetryingDeliveries from={from} count={deliveries.pending} />}
      </Section>
      <div className={styles['columns']}>
        <Section title={texts.overview.latency}>
          <DataTable
            caption={texts.overview.latency}
            columns={toLatencyColumns(totals.latency_ms)}
            rows={LATENCY_STEPS}
            rowKey={(step) => step}
          />
          <p className="note">{texts.overview.latencyNote}</p>
        </Section>
        <div className={styles['column']}>
          <BudgetPanel
            more={
              <ButtonLink to="/usage" search={{ range: 'month' }} size="small">
                {texts.shell.usage}
              </ButtonLink>
            }
          />
          <FailingAssistants rows={data} range={range} />
        </div>
      </div>
    </>
  );
}

interface StatusFiguresProps<Name extends SessionStatus | DeliveryStatus> {
  to: '/sessions' | '/deliveries';
  statuses: readonly Name[];
  counts: Record<Name, number>;
  range: OverviewRange;
}

/** Counts by status. */
const StatusFigures = <Name extends SessionStatus | DeliveryStatus>(props: StatusFiguresProps<Name>) => (
  <Figures>
    {props.statuses.map((status) => (
      <Figure key={status} label={<Status name={status} />}>
        <CountLink
          to={props.to}
          search={{ status, range: props.range }}
          count={props.counts[status]}
          label={texts.overview.countsOf[props.to](texts.status[status])}
        />
      </Figure>
    ))}
  </Figures>
);

const LATENCY_STEPS = ['queue', 'transcription', 'analysis', 'total'] as const;

const toLatencyColumns = (latency: StatsTotals['latency_ms']): Column<(typeof LATENCY_STEPS)[number]>[] => [
  { key: 'step', title: texts.overview.step, isWide: true, cell: (step) => texts.overview.steps[step] },
  { key: 'p50', title: 'p50', align: 'end', cell: (step) => <Duration ms={latency[step]?.p50 ?? null} /> },
  { key: 'p95', title: 'p95', align: 'end', cell: (step) => <Duration ms={latency[step]?.p95 ?? null} /> },
];
