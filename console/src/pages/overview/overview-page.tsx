/** The overview: the period in one line, what needs attention, what the assistants answer, and two charts. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import { LayoutDashboard } from 'lucide-react';
import type { ReactNode } from 'react';
import { countSessionsOptions, getInfoOptions, getStatsOptions } from 'conversation-analysis-client/react-query';
import type { StatsReport } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page } from '../../components/page.tsx';
import { HOUR_MS, useSteppedNow } from '../../format/clock.ts';
import { formatNumber, formatUsd } from '../../format/numbers.ts';
import { AssistantTable } from '../../lists/assistant-table.tsx';
import { countSessions, OVERVIEW_RANGES, statsOf, type OverviewRange } from '../../search/period.ts';
import { useMay } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { Charts } from './charts.tsx';
import { State } from './problems.tsx';
import styles from './overview.module.css';

const REFRESH_MS = 15_000;

const route = getRouteApi('/inside/');

export function OverviewPage() {
  const { range = '7d' } = route.useSearch();
  const navigate = route.useNavigate();
  const sessions = useQuery(countSessionsOptions({ query: {} }));
  const isEmpty = useMay()('requests:write') && sessions.data?.total === 0;
  const stats = useQuery({
    ...getStatsOptions({ query: statsOf(range, useSteppedNow(HOUR_MS)) }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  // Nothing moves when the problems are known.
  const { isPending } = useQuery(getInfoOptions());
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
      <Loaded query={sessions.isLoading || isPending ? { ...stats, data: undefined } : stats} lines={8}>
        {(report) => {
          const isQuiet = countSessions(report.totals) === 0;
          return (
            <>
              {!isEmpty && !isQuiet && <Counts report={report} range={range} />}
              <State report={report} isUnknown={stats.isError} range={range} isNew={isEmpty} />
              {isEmpty ? (
                <EmptyState
                  icon={LayoutDashboard}
                  title={texts.overview.first.title}
                  detail={texts.overview.first.detail}
                  actions={
                    <ButtonLink look="primary" to="/start">
                      {texts.shell.start}
                    </ButtonLink>
                  }
                />
              ) : (
                isQuiet && <EmptyState icon={LayoutDashboard} title={texts.overview.none} />
              )}
              {!isQuiet && (
                <>
                  <AssistantTable report={report} range={range} isBrief />
                  <Charts report={report} />
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** The period in one line: each number links to what it counts. */
function Counts({ report: { totals }, range }: { report: StatsReport; range: OverviewRange }) {
  const { sessions, deliveries, cost_usd, cost_known } = totals;
  const count = (name: keyof typeof texts.overview.counts, amount: number, link: LinkProps, color?: string) =>
    amount > 0 && (
      <Count value={formatNumber(amount)} link={link} color={color}>
        {texts.overview.counts[name](amount)}
      </Count>
    );
  const cost = formatUsd(cost_usd);
  return (
    <ul className={`row ${styles['counts']}`}>
      {count('sessions', countSessions(totals), { to: '/sessions', search: { range } })}
      {count('failed', sessions.failed, { to: '/sessions', search: { range, status: 'failed' } }, 'bad')}
      {count('delivered', deliveries.delivered, { to: '/deliveries', search: { range, status: 'delivered' } })}
      {count('undelivered', deliveries.failed, { to: '/deliveries', search: { range, status: 'failed' } }, 'bad')}
      {count('pending', deliveries.pending, { to: '/deliveries', search: { range, status: 'pending' } }, 'warn')}
      <Count value={cost_known ? cost : texts.labels.atLeast(cost)} link={{ to: '/usage', search: { range } }}>
        {texts.overview.spent}
      </Count>
    </ul>
  );
}

interface CountProps {
  value: string;
  link: LinkProps;
  color?: string | undefined;
  children: ReactNode;
}

const Count = ({ value, link, color, children }: CountProps) => (
  <li>
    <Link {...link} className={color}>
      <strong>{value}</strong> {children}
    </Link>
  </li>
);
