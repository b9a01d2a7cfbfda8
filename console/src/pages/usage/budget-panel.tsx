/** What this month cost, beside what it may cost. Months are those of UTC, as the budget's. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { getUsageOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { serverNow } from '../../format/clock.ts';
import { formatPercent, formatUsd } from '../../format/numbers.ts';
import { periodOf } from '../../search/period.ts';
import { loginOptions } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import styles from './budget-panel.module.css';

const SetBudget = lazy(async () => ({ default: (await import('./set-budget.tsx')).SetBudget }));

/** From here on the bar warns. */
const NEARLY_SPENT = 0.8;

/**
 * Shows what is spent of the budget.
 * @param more links of the page that shows it.
 */
export function BudgetPanel({ more }: { more?: ReactNode }) {
  const { data: user } = useQuery(loginOptions);
  const [now] = useState(serverNow);
  const { data, error } = useQuery(getUsageOptions({ query: { ...periodOf('month', now), group_by: 'day' } }));
  const [isSetting, setSetting] = useState(false);
  return (
    <Panel
      title={texts.usage.month}
      actions={
        <span className={styles['actions']}>
          {more}
          <Button size="small" onClick={() => setSetting(true)}>
            {texts.usage.setBudget}
          </Button>
        </span>
      }
    >
      {error && !data && <Problem error={error} />}
      {data && user ? (
        <Budget spentUsd={data.totals.cost_usd} isKnown={data.totals.cost_known} budgetUsd={user.monthly_budget_usd} />
      ) : (
        !error && <Skeleton lines={2} />
      )}
      <Suspense>{isSetting && user && <SetBudget user={user} onClose={() => setSetting(false)} />}</Suspense>
    </Panel>
  );
}

interface BudgetProps {
  spentUsd: number;
  isKnown: boolean;
  budgetUsd: number | null;
}

function Budget({ spentUsd, isKnown, budgetUsd }: BudgetProps) {
  const spent = isKnown ? formatUsd(spentUsd) : texts.common.atLeast(formatUsd(spentUsd));
  if (budgetUsd === null) return <p>{texts.usage.noBudget(spent)}</p>;
  const share = budgetUsd === 0 ? 1 : spentUsd / budgetUsd;
  const percent = Math.min(100, share * 100);
  const tone = share >= 1 ? styles['spent'] : share >= NEARLY_SPENT ? styles['nearly'] : undefined;
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
        <div className={`${styles['fill']} ${tone ?? ''}`} style={{ width: `${percent}%` }} />
      </div>
      {share >= 1 && <p className={styles['warning']}>{texts.usage.budgetSpent}</p>}
    </div>
  );
}
