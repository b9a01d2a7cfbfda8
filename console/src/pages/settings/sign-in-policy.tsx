import { useMutation, useQuery } from '@tanstack/react-query';
import { proveIdentity, updateWorkspace } from 'conversation-analysis-client';
import type { Workspace } from 'conversation-analysis-client';
import { SIGN_IN_POLICIES } from '../../../../contract/constants.ts';
import type { SignInPolicy as Policy } from '../../../../contract/constants.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, PasswordField, SelectField, TextField } from '../../components/field.tsx';
import { say } from '../../components/toasts.tsx';
import { loginOptions } from '../../server/login.ts';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

const words = texts.workspaces;

/** Changes the sign-in policy. The API requires a recent proof of identity. */
export function SignInPolicy({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { data: user } = useQuery(loginOptions);
  const change = useMutation({
    mutationFn: async ({ sign_in, ...proof }: Record<string, string>) => {
      if (Object.keys(proof).length > 0) await proveIdentity({ body: proof, throwOnError: true });
      await updateWorkspace({ body: { sign_in: sign_in as Policy }, throwOnError: true });
    },
    onSuccess: () => {
      void refresh('listWorkspaces');
      say(texts.account.saved);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={words.signIn}>
      <Form error={change.error} onSubmit={change.mutate}>
        <SelectField
          name="sign_in"
          label={words.signIn}
          hint={words.signInHint}
          defaultValue={workspace.sign_in}
          options={SIGN_IN_POLICIES.map((value) => ({ value, label: words.signInPolicies[value] }))}
        />
        {user?.second_factor ? (
          <TextField
            name="code"
            label={words.code}
            hint={words.codeHint}
            required
            minLength={6}
            maxLength={40}
            autoComplete="one-time-code"
          />
        ) : (
          user?.has_password && <PasswordField name="current_password" label={texts.account.currentPassword} />
        )}
        <FormButtons submit={texts.account.save} isDisabled={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
