import { useMutation } from '@tanstack/react-query';
import { updateCurrentUserMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { User } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { say } from '../../components/toasts.tsx';
import { loginOptions } from '../../server/login.ts';
import { queryClient } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

/** Asks what a month may cost. */
export function SetBudget({ user, onClose }: { user: User; onClose: () => void }) {
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
