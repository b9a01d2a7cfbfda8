/** Costs of this month and the budget. The months of a budget are in UTC. */
import { ATTENTION_LIMITS } from '../../../contract/values/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { getAttentionOptions, getUsageOptions } from 'conversation-analysis-client/react-query';
import type { UsageReport } from 'conversation-analysis-client';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/page.tsx';
import { DAY_MS, useSteppedNow } from '../format/clock.ts';
import { formatPercent, formatUsd } from '../format/numbers.ts';
import { monthOf } from '../search/period.ts';
import { useWorkspace } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import { SetBudgetButton } from './set-budget-button.tsx';
import styles from './budget-panel.module.css';

/** Returns the costs of this month, the budget and its spent share. Budget and share are null without a budget. */
function useBudget() {
  const now = useSteppedNow(DAY_MS);
  const usage = useQuery(
    getUsageOptions({ query: { ...monthOf(new Date(now).toISOString().slice(0, 10)), group_by: 'day' } }),
  );
  const budgetUsd = useWorkspace()?.monthly_budget_usd ?? null;
  const spentUsd = usage.data?.totals.cost_usd ?? 0;
  return { usage, budgetUsd, share: budgetUsd === null ? null : budgetUsd === 0 ? 1 : spentUsd / budgetUsd };
}

/** Returns how much of the budget is spent. */
export const wordBudget = (spentUsd: number, budgetUsd: number): string =>
  spentUsd >= budgetUsd
    ? texts.usage.budgetSpent
    : texts.usage.ofBudget(formatUsd(spentUsd), formatUsd(budgetUsd), formatPercent(spentUsd / budgetUsd));

/** Warns on the pages that submit conversations. */
export function BudgetNotice() {
  const { data } = useQuery(getAttentionOptions());
  const budget = data?.data.find(({ code }) => code === 'budget_nearly_spent')?.figures;
  if (!budget) return null;
  return (
    <div className={`row apart ${styles['notice']}`} role="note">
      {wordBudget(budget['spent_usd'] ?? 0, budget['budget_usd'] ?? 0)}
      <SetBudgetButton label={texts.usage.raiseBudget} />
    </div>
  );
}

/** Shows the spent share of the budget. */
export function BudgetPanel() {
  const { usage, ...budget } = useBudget();
  return (
    <Panel title={texts.usage.ranges.month} actions={<SetBudgetButton label={texts.usage.setBudget} />}>
      <Loaded query={usage} lines={2}>
        {({ totals }) => <Budget totals={totals} {...budget} />}
      </Loaded>
    </Panel>
  );
}

interface BudgetProps {
  totals: UsageReport['totals'];
  budgetUsd: number | null;
  share: number | null;
}

function Budget({ totals: { cost_usd, cost_known }, budgetUsd, share }: BudgetProps) {
  const spent = cost_known ? formatUsd(cost_usd) : texts.labels.atLeast(formatUsd(cost_usd));
  if (budgetUsd === null || share === null) return <p>{texts.usage.noBudget(spent)}</p>;
  const percent = Math.min(100, share * 100);
  const tone = share >= 1 ? 'bad' : share >= ATTENTION_LIMITS.budgetShare ? 'warn' : 'good';
  return (
    <div
      className={styles['meter']}
      role="meter"
      aria-valuenow={percent}
      aria-valuetext={formatPercent(share)}
      aria-label={texts.usage.ranges.month}
    >
      <p>{texts.usage.ofBudget(spent, formatUsd(budgetUsd), formatPercent(share))}</p>
      <div className={styles['track']}>
        <div data-shape style={{ width: `${percent}%`, background: `var(--${tone}-bar)` }} />
      </div>
      {share >= 1 && <p className={styles['warning']}>{texts.usage.budgetSpent}</p>}
    </div>
  );
}
