/** The overview: whether all is well, what the calls say, and the figures. Each number links to its rows. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { LayoutDashboard } from 'lucide-react';
import { getInfoOptions, getStatsOptions } from 'conversation-analysis-client/react-query';
import type { GetStatsData, StatsReport, StatsTotals } from 'conversation-analysis-client';
import { DELIVERY_STATUSES, SESSION_STATUSES } from '../../../../contract/values/constants.ts';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { useSteppedNow } from '../../format/clock.ts';
import { formatNumber } from '../../format/numbers.ts';
import { OVERVIEW_RANGES, type OverviewRange } from '../../search/period.ts';
import { useMay } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { Calls } from './calls.tsx';
import { FirstSteps, isNew, useFirstSteps } from './first-steps.tsx';
import { intervalsOf } from './intervals.ts';
import { KeyFigures } from './key-figures.tsx';
import { periodsOf, stepOf } from './overview-data.ts';
import { State } from './problems.tsx';
import styles from './overview.module.css';

const REFRESH_MS = 15_000;

const words = texts.overview;
const route = getRouteApi('/inside/');

/** Returns the statistics of a period. The previous data stays on screen while the next period loads. */
const useStats = (query: GetStatsData['query'], refetchInterval: number | false = REFRESH_MS) =>
  useQuery({ ...getStatsOptions({ query: query ?? {} }), refetchInterval, placeholderData: keepPreviousData });

export function OverviewPage() {
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const first = useFirstSteps();
  const may = useMay();
  const periods = periodsOf(range, useSteppedNow(stepOf(range)));
  const stats = useStats(periods.current);
  const previous = useStats(periods.previous, false);
  // Nothing moves when the problems are known.
  const { isPending } = useQuery(getInfoOptions());
  const isLoading = first.isLoading || isPending;
  const isEmpty = isNew(first) && may('requests:write');
  return (
    <Page>
      <PageHeader
        title={texts.shell.overview}
        actions={
          !isEmpty && (
            <Choice
              label={texts.lists.range}
              options={optionsOf(OVERVIEW_RANGES, texts.lists.ranges)}
              value={range}
              onChoose={(chosen) => void navigate({ search: { range: chosen }, replace: true })}
            />
          )
        }
      />
      <Loaded query={isLoading ? { ...stats, data: undefined } : stats} lines={8}>
        {(report) => (
          <>
            <State report={report} isUnknown={stats.isError} range={range} />
            <FirstSteps />
            {!isEmpty && <Report report={report} previous={previous.data?.totals} range={range} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ReportProps {
  report: StatsReport;
  previous: StatsTotals | undefined;
  range: OverviewRange;
}

function Report({ report, previous, range }: ReportProps) {
  const { sessions, deliveries } = report.totals;
  if ([...Object.values(sessions), ...Object.values(deliveries)].every((count) => count === 0))
    return <EmptyState icon={LayoutDashboard} title={words.none} />;
  return (
    <>
      <ul className={`row ${styles['counts']}`}>
        {SESSION_STATUSES.map((status) => (
          <Count key={status} to="/sessions" status={status} count={sessions[status]} range={range} />
        ))}
        {DELIVERY_STATUSES.map((status) => (
          <Count key={status} to="/deliveries" status={status} count={deliveries[status]} range={range} />
        ))}
      </ul>
      <Calls from={report.from} range={range}>
        <KeyFigures report={report} previous={previous} intervals={intervalsOf(report)} range={range} />
      </Calls>
    </>
  );
}

interface CountProps {
  to: '/sessions' | '/deliveries';
  status: (typeof SESSION_STATUSES)[number] | (typeof DELIVERY_STATUSES)[number];
  count: number;
  range: OverviewRange;
}

/** The number of rows with a status, linked to them. Statuses without rows are left out. */
const Count = ({ to, status, count, range }: CountProps) =>
  count > 0 && (
    <li>
      <Link to={to} search={{ status, range } as object} className="row">
        {texts.common[to === '/sessions' ? 'sessions' : 'deliveries']} <Status name={status} /> {formatNumber(count)}
      </Link>
    </li>
  );
