/** What this month cost, beside what it may cost. Months are those of UTC, as the budget's. */
import { Meter } from '@base-ui/react/meter';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import {
  getUsageOptions,
  updateCurrentUserMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { User } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { say } from '../../components/toasts.tsx';
import { serverNow } from '../../format/clock.ts';
import { formatPercent, formatUsd } from '../../format/numbers.ts';
import { loginOptions } from '../../server/login.ts';
import { queryClient } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import styles from './budget-panel.module.css';
import { periodOf } from '../../search/period.ts';

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
      {isSetting && user && <SetBudget user={user} onClose={() => setSetting(false)} />}
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
  const tone = share >= 1 ? styles['spent'] : share >= NEARLY_SPENT ? styles['nearly'] : undefined;
  return (
    <Meter.Root
      className={styles['meter']}
      value={Math.min(100, share * 100)}
      aria-valuetext={formatPercent(share)}
      aria-label={texts.usage.month}
    >
      <p>{texts.usage.ofBudget(spent, formatUsd(budgetUsd), formatPercent(share))}</p>
      <Meter.Track className={styles['track']}>
        <Meter.Indicator className={`${styles['fill']} ${tone ?? ''}`} />
      </Meter.Track>
      {share >= 1 && <p className={styles['warning']}>{texts.usage.budgetSpent}</p>}
    </Meter.Root>
  );
}

function SetBudget({ user, onClose }: { user: User; onClose: () => void }) {
  const update = useMutation({
    ...updateCurrentUserMutation(),
    onSuccess: (changed) => {
      queryClient.setQueryData(loginOptions.queryKey, changed);
      say(texts.account.saved);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={texts.usage.budget}>
      <Form
        error={update.error}
        onSubmit={({ monthly_budget_usd = '' }) =>
          update.mutate({
            body: { monthly_budget_usd: monthly_budget_usd.trim() === '' ? null : Number(monthly_budget_usd) },
          })
        }
      >
        <TextField
          name="monthly_budget_usd"
          label={texts.usage.budgetField}
          hint={texts.usage.budgetHint}
          type="number"
          min={0}
          step="any"
          defaultValue={user.monthly_budget_usd ?? ''}
          autoFocus
        />
        <FormButtons>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" disabled={update.isPending}>
            {texts.account.save}
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}
