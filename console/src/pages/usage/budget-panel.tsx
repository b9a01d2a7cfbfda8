/** Costs of this month and the budget. Months are in UTC. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { getUsageOptions } from 'conversation-analysis-client/react-query';
import type { UsageReport } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { DAY_MS, useSteppedNow } from '../../format/clock.ts';
import { formatPercent, formatUsd } from '../../format/numbers.ts';
import { periodOf } from '../../search/period.ts';
import { lazyComponent } from '../../server/load-file.ts';
import { loginOptions } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import styles from './budget-panel.module.css';

const SetBudget = lazyComponent(() => import('./set-budget.tsx'), 'SetBudget');

/** From this share on, the bar has the color of a warning. */
const NEARLY_SPENT = 0.8;

/**
 * Shows the spent share of the budget.
 * @param more links of the page.
 */
export function BudgetPanel({ more }: { more?: ReactNode }) {
  const { data: user } = useQuery(loginOptions);
  const now = useSteppedNow(DAY_MS);
  const usage = useQuery(getUsageOptions({ query: { ...periodOf('month', now), group_by: 'day' } }));
  const [isSetting, setSetting] = useState(false);
  return (
    <Panel
      title={texts.usage.month}
      actions={
        <span className="row">
          {more}
          <Button size="small" onClick={() => setSetting(true)}>
            {texts.usage.setBudget}
          </Button>
        </span>
      }
    >
      <Loaded query={usage} lines={2}>
        {({ totals }) => <Budget totals={totals} budgetUsd={user?.monthly_budget_usd ?? null} />}
      </Loaded>
      <Suspense>{isSetting && user && <SetBudget user={user} onClose={() => setSetting(false)} />}</Suspense>
    </Panel>
  );
}

interface BudgetProps {
  totals: UsageReport['totals'];
  budgetUsd: number | null;
}

function Budget({ totals: { cost_usd, cost_known }, budgetUsd }: BudgetProps) {
  const spent = cost_known ? formatUsd(cost_usd) : texts.common.atLeast(formatUsd(cost_usd));
  if (budgetUsd === null) return <p>{texts.usage.noBudget(spent)}</p>;
  const share = budgetUsd === 0 ? 1 : cost_usd / budgetUsd;
  const percent = Math.min(100, share * 100);
  const tone = share >= 1 ? 'bad' : share >= NEARLY_SPENT ? 'warn' : 'good';
  return (
    <div
      className={styles['meter']}
      role="meter"
      aria-valuenow={percent}
      aria-valuetext={formatPercent(share)}
      aria-label={texts.usage.month}
    >
      <p>{texts.usage.ofBudget(spent, formatUsd(budgetUsd), formatPercent(share))}</p>
      <div className={styles['track']}>
        <div data-shape style={{ width: `${percent}%`, background: `var(--${tone}-bar)` }} />
      </div>
      {share >= 1 && <p className={styles['warning']}>{texts.usage.budgetSpent}</p>}
    </div>
  );
}
