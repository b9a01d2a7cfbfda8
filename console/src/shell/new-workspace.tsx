import { LIMITS } from '../../../contract/values/limits.ts';
import { useMutation } from '@tanstack/react-query';
import { createWorkspace } from 'conversation-analysis-client';
import { Dialog } from '../components/dialog.tsx';
import { Form, FormButtons, TextField } from '../components/field.tsx';
import { homeOf, PERSONAL_API } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';

const words = texts.workspaces;

/** Creates a workspace and opens it. */
export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const create = useMutation({
    mutationFn: async (name: string) =>
      (await createWorkspace({ baseUrl: PERSONAL_API, body: { name }, throwOnError: true })).data,
    onSuccess: ({ workspace_id }) => location.assign(homeOf(workspace_id)),
  });
  return (
    <Dialog onClose={onClose} title={words.create}>
      <Form error={create.error} onSubmit={({ name = '' }) => create.mutate(name)}>
        <TextField
          name="name"
          label={texts.settingTitles.name}
          hint={words.createDetail}
          required
          maxLength={LIMITS.name}
          autoComplete="organization"
          autoFocus
        />
        <FormButtons submit={words.create} isDisabled={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
