import type { Workspace } from 'conversation-analysis-client';
import { Dialog } from '../components/dialog.tsx';
import { Form, FormButtons, TextField } from '../components/field.tsx';
import { texts } from '../texts/index.ts';
import { useUpdateWorkspace } from '../components/updates.ts';

export function SetBudget({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const update = useUpdateWorkspace(onClose);
  return (
    <Dialog onClose={onClose} title={texts.usage.budget}>
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
        <FormButtons submit={texts.labels.save} isDisabled={update.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
