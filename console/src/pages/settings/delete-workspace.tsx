import { useMutation, useQuery } from '@tanstack/react-query';
import { deleteWorkspace, type DeleteWorkspaceInput, type Workspace } from 'conversation-analysis-client';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, PasswordField } from '../../components/field.tsx';
import { loginOptions } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';

const words = texts.workspaces;

/** Deletes the workspace and opens the default one. */
export function DeleteWorkspace({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { data: user } = useQuery(loginOptions);
  const remove = useMutation({
    mutationFn: (body: DeleteWorkspaceInput) => deleteWorkspace({ body, throwOnError: true }),
    onSuccess: () => location.assign('/console/'),
  });
  return (
    <Dialog onClose={onClose} title={texts.labels.deleteTitle(workspace.name)}>
      <Form error={remove.error} onSubmit={remove.mutate}>
        <p>{words.deleteDetail}</p>
        {user?.has_password && <PasswordField name="current_password" label={texts.inputs.currentPassword} autoFocus />}
        <FormButtons submit={words.delete} look="danger" isDisabled={remove.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
