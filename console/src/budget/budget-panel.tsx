/** The spent share of the budget. The months of a budget are in UTC. */
import { ATTENTION_LIMITS } from '../../../contract/values/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { getAttentionOptions, getUsageOptions } from 'conversation-analysis-client/react-query';
import { DAY_MS, useSteppedNow } from '../format/clock.ts';
import { formatPercent, formatUsd } from '../format/numbers.ts';
import { monthOf } from '../search/named-period.ts';
import { useWorkspace } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import { SetBudgetButton } from './set-budget-button.tsx';
import styles from './budget-panel.module.css';

/** Returns how much of the budget is spent. */
export const wordBudget = (spentUsd: number, budgetUsd: number): string =>
  spentUsd >= budgetUsd
    ? texts.usage.budgetSpent
    : texts.usage.ofBudget(formatPercent(shareOf(spentUsd, budgetUsd)), formatUsd(budgetUsd));

const shareOf = (spentUsd: number, budgetUsd: number) => (budgetUsd === 0 ? 1 : spentUsd / budgetUsd);

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

/** Shows the spent share of the budget, if there is one. The costs of the chosen period are figures of the page. */
export function BudgetPanel() {
  const now = useSteppedNow(DAY_MS);
  const budgetUsd = useWorkspace()?.monthly_budget_usd ?? null;
  const { data } = useQuery({
    ...getUsageOptions({ query: { ...monthOf(new Date(now).toISOString().slice(0, 10)), group_by: 'day' } }),
    enabled: budgetUsd !== null,
  });
  if (budgetUsd === null || !data) return null;
  const share = shareOf(data.totals.cost_usd, budgetUsd);
  const percent = Math.min(100, share * 100);
  const tone = share >= 1 ? 'bad' : share >= ATTENTION_LIMITS.budgetShare ? 'warn' : 'good';
  return (
    <div
      className={styles['meter']}
      role="meter"
      aria-valuenow={percent}
      aria-valuetext={formatPercent(share)}
      aria-label={texts.usage.budget}
    >
      <p className={share >= 1 ? styles['warning'] : undefined}>{wordBudget(data.totals.cost_usd, budgetUsd)}</p>
      <div className={styles['track']}>
        <div data-shape style={{ width: `${percent}%`, background: `var(--${tone}-bar)` }} />
      </div>
    </div>
  );
}
