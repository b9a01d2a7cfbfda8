/** How things go: each number leads to the rows that it counts. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LayoutDashboard } from 'lucide-react';
import { useState } from 'react';
import { getStatsOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { StatsReport } from '../../../../clients/typescript/src/index.ts';
import { ButtonLink } from '../../components/button.tsx';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Choice } from '../../components/choice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { serverNow } from '../../format/clock.ts';
import { texts } from '../../texts/index.ts';
import { BudgetPanel } from '../usage/budget-panel.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { LatencyPanel } from './latency-panel.tsx';
import { OVERVIEW_RANGES, startOf } from './overview-search.ts';
import type { OverviewRange } from './overview-search.ts';
import styles from './overview.module.css';
import { SessionPanel } from './session-panel.tsx';
import { TroublePanel } from './trouble-panel.tsx';

const REFRESH_MS = 15_000;

const route = getRouteApi('/inside/');

export function OverviewPage() {
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const [now] = useState(serverNow);
  const query = { from: startOf(range, now), interval: 'day', group_by: 'assistant' } as const;
  const { data, error, refetch } = useQuery({ ...getStatsOptions({ query }), refetchInterval: REFRESH_MS });
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
      {error && !data ? <Problem error={error} onRetry={() => void refetch()} /> : !data && <Skeleton lines={8} />}
      {data && <Report report={data} range={range} />}
    </Page>
  );
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

function Report({ report, range }: { report: StatsReport; range: OverviewRange }) {
  const { totals, data: rows, from } = report;
  if (sum(totals.sessions) + sum(totals.deliveries) === 0) {
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
      <SessionPanel counts={totals.sessions} range={range} />
      <DeliveryPanel counts={totals.deliveries} range={range} from={from} />
      <div className={styles['columns']}>
        <LatencyPanel latency={totals.latency_ms} />
        <div className={styles['column']}>
          <BudgetPanel
            more={
              <ButtonLink to="/usage" search={{ range: 'month' }} size="small">
                {texts.shell.usage}
              </ButtonLink>
            }
          />
          <TroublePanel rows={rows} range={range} />
        </div>
      </div>
    </>
  );
}
