/** The overview. Each number links to its rows. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LayoutDashboard } from 'lucide-react';
import { getInfoOptions, getStatsOptions } from 'conversation-analysis-client/react-query';
import type { GetStatsData, StatsReport, StatsTotals } from 'conversation-analysis-client';
import {
  DELIVERY_STATUSES,
  SESSION_STATUSES,
  type DeliveryStatus,
  type SessionStatus,
} from '../../../../contract/values/constants.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { May } from '../../components/may.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel, Section } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { Duration } from '../../components/values.tsx';
import { useSteppedNow } from '../../format/clock.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useMay } from '../../server/membership.ts';
import { OVERVIEW_RANGES, type OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { words } from './words.ts';
import { RedeliverLink } from '../../lists/redeliver-link.tsx';
import { operationFacts } from '../../components/operation.tsx';
import { BudgetNotice, BudgetPanel } from '../../budget/budget-panel.tsx';
import { CountLink, FailingAssistants } from './failing-assistants.tsx';
import { FailingReceivers } from './failing-receivers.tsx';
import { FirstSteps, isNew, useFirstSteps } from './first-steps.tsx';
import { intervalsOf } from './intervals.ts';
import { KeyFigures } from './key-figures.tsx';
import { periodsOf, stepOf } from './overview-data.ts';
import { Problems } from './problems.tsx';
import { Reviews } from './reviews.tsx';
import styles from './overview.module.css';

const REFRESH_MS = 15_000;

const route = getRouteApi('/inside/');

/** Returns the statistics of a period. The previous data stays on screen while the next period loads. */
const useStats = (query: GetStatsData['query'], refetchInterval: number | false = REFRESH_MS) =>
  useQuery({ ...getStatsOptions({ query: query ?? {} }), refetchInterval, placeholderData: keepPreviousData });

export function OverviewPage() {
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const first = useFirstSteps();
  const periods = periodsOf(range, useSteppedNow(stepOf(range)));
  const stats = useStats(periods.current);
  const previous = useStats(periods.previous, false);
  return (
    <Page>
      <PageHeader
        title={texts.shell.overview}
        actions={
          <Choice
            label={texts.lists.range}
            options={optionsOf(OVERVIEW_RANGES, texts.lists.ranges)}
            value={range}
            onChoose={(chosen) => void navigate({ search: { range: chosen }, replace: true })}
          />
        }
      />
      <BudgetNotice />
      <Loaded query={first.isLoading ? { ...stats, data: undefined } : stats} lines={8}>
        {(report) => (
          <Report report={report} previous={previous.data?.totals} range={range} isNewWorkspace={isNew(first)} />
        )}
      </Loaded>
    </Page>
  );
}

interface ReportProps {
  report: StatsReport;
  previous: StatsTotals | undefined;
  range: OverviewRange;
  isNewWorkspace: boolean;
}

function Report({ report, previous, range, isNewWorkspace }: ReportProps) {
  const { sessions, deliveries, latency_ms } = report.totals;
  const may = useMay();
  if ([...Object.values(sessions), ...Object.values(deliveries)].every((count) => count === 0)) {
    return (
      <>
        <FirstSteps />
        {(!isNewWorkspace || !may('requests:write')) && (
          <>
            <EmptyState icon={LayoutDashboard} title={words.none} />
            <Operation />
          </>
        )}
      </>
    );
  }
  return (
    <>
      <Problems receivers={report.receivers} failed={sessions.failed} range={range} />
      <FirstSteps />
      <KeyFigures report={report} previous={previous} intervals={intervalsOf(report)} range={range} />
      <Section title={texts.common.sessions}>
        <StatusFigures to="/sessions" statuses={SESSION_STATUSES} counts={sessions} range={range} />
      </Section>
      <Section title={texts.common.deliveries}>
        <StatusFigures
          to="/deliveries"
          statuses={DELIVERY_STATUSES}
          counts={deliveries}
          range={range}
          retrying={report.receivers.reduce((sum, { retrying }) => sum + retrying, 0)}
        />
        {deliveries.failed > 0 && (
          <div>
            <RedeliverLink search={{ status: 'failed', range }} />
          </div>
        )}
      </Section>
      <div className={styles['columns']}>
        <div className={`stack ${styles['column']}`}>
          <FailingReceivers receivers={report.receivers} range={range} />
          <FailingAssistants from={report.from} range={range} />
          {sessions.completed > 0 && (
            <May scope="reviews:write">
              <Reviews />
            </May>
          )}
        </div>
        <div className={`stack ${styles['column']}`}>
          <BudgetPanel
            more={
              <ButtonLink to="/usage" search={{ range: 'month' }} size="small">
                {texts.shell.usage}
              </ButtonLink>
            }
          />
          <Operation />
          <Section title={words.latency}>
            <DataTable
              caption={words.latency}
              columns={toLatencyColumns(latency_ms)}
              rows={LATENCY_STEPS}
              rowKey={(step) => step}
            />
            <p className="note">{words.latencyNote}</p>
          </Section>
        </div>
      </div>
    </>
  );
}

/** The workers and the queue. */
function Operation() {
  const info = useQuery({ ...getInfoOptions(), refetchInterval: REFRESH_MS });
  return (
    <Panel title={words.operation}>
      <Loaded query={info}>{(data) => <Facts facts={operationFacts(data)} />}</Loaded>
    </Panel>
  );
}

interface StatusFiguresProps<Name extends SessionStatus | DeliveryStatus> {
  to: '/sessions' | '/deliveries';
  statuses: readonly Name[];
  counts: Record<Name, number>;
  range: OverviewRange;
  /** Pending deliveries with a failed attempt. */
  retrying?: number;
}

const StatusFigures = <Name extends SessionStatus | DeliveryStatus>(props: StatusFiguresProps<Name>) => (
  <Figures>
    {props.statuses.map((status) => (
      <Figure
        key={status}
        label={<Status name={status} />}
        note={status === 'pending' && props.retrying ? words.retrying(formatNumber(props.retrying)) : undefined}
      >
        <CountLink
          to={props.to}
          search={{ status, range: props.range }}
          count={props.counts[status]}
          label={words.countsOf[props.to](texts.status[status])}
        />
      </Figure>
    ))}
  </Figures>
);

const LATENCY_STEPS = ['queue', 'transcription', 'analysis', 'total'] as const;

const toLatencyColumns = (latency: StatsTotals['latency_ms']): Column<(typeof LATENCY_STEPS)[number]>[] => [
  { key: 'step', title: words.step, isWide: true, cell: (step) => texts.steps[step] },
  { key: 'p50', title: 'p50', align: 'end', cell: (step) => <Duration ms={latency[step]?.p50 ?? null} /> },
  { key: 'p95', title: 'p95', align: 'end', cell: (step) => <Duration ms={latency[step]?.p95 ?? null} /> },
];
