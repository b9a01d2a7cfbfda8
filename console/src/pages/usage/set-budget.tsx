import { useMutation } from '@tanstack/react-query';
import { updateWorkspaceMutation } from 'conversation-analysis-client/react-query';
import type { Workspace } from 'conversation-analysis-client';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { showToast } from '../../components/toasts.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

/** Sets the monthly budget. */
export function SetBudget({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const update = useMutation({
    ...updateWorkspaceMutation(),
    onSuccess: async () => {
      await refresh('listWorkspaces');
      showToast(texts.account.saved);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={texts.usage.budget}>
      <Form
        error={update.error}
        onSubmit={({ monthly_budget_usd: budget }) =>
          update.mutate({ body: { monthly_budget_usd: budget ? Number(budget) : null } })
        }
      >
        <TextField
          name="monthly_budget_usd"
          label={texts.usage.budgetField}
          hint={texts.usage.budgetHint}
          type="number"
          min={0}
          step="any"
          defaultValue={workspace.monthly_budget_usd ?? ''}
          autoFocus
        />
        <FormButtons submit={texts.account.save} isDisabled={update.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
