/** Costs of this month and the budget. The months of a budget are in UTC. */
import { useQuery } from '@tanstack/react-query';
import { getUsageOptions } from 'conversation-analysis-client/react-query';
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

/** From this share on, the pages that submit conversations show a warning. */
const NEARLY_SPENT = 0.8;

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

/** Returns that the budget is spent, or nearly spent. The text is undefined if it is not, or unknown. */
export function useBudgetWarning(): { text: string | undefined; isPending: boolean } {
  const { usage, budgetUsd, share } = useBudget();
  const { isPending } = usage;
  if (!usage.data || budgetUsd === null || share === null || share < NEARLY_SPENT)
    return { text: undefined, isPending: isPending && budgetUsd !== null };
  const spent = formatUsd(usage.data.totals.cost_usd);
  const text =
    share >= 1 ? texts.usage.budgetSpent : texts.usage.ofBudget(spent, formatUsd(budgetUsd), formatPercent(share));
  return { text, isPending };
}

export function BudgetNotice() {
  const { text } = useBudgetWarning();
  if (text === undefined) return null;
  return (
    <div className={`row apart ${styles['notice']}`} role="note">
      {text}
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
  const tone = share >= 1 ? 'bad' : share >= NEARLY_SPENT ? 'warn' : 'good';
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
