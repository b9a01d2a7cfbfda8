import { useMutation } from '@tanstack/react-query';
import { changePasswordMutation } from 'conversation-analysis-client/react-query';
import { CheckField, Form, FormButtons, PasswordField } from '../../../components/field.tsx';
import { Panel } from '../../../components/page.tsx';
import { showToast } from '../../../components/toasts.tsx';
import { loginOptions } from '../../../server/login.ts';
import { queryClient, refresh } from '../../../server/queries.ts';
import { texts } from '../../../texts/index.ts';

/** Changes the password, or sets the first one of a user who logs in with single sign-on. */
export function Password({ isSet }: { isSet: boolean }) {
  const change = useMutation({
    ...changePasswordMutation(),
    onSuccess: () => {
      void refresh('listLogins', 'listKeys');
      void queryClient.invalidateQueries(loginOptions);
      showToast(texts.account.passwordChanged);
    },
  });
  const submit = isSet ? texts.account.changePassword : texts.reset.set;
  return (
    <Panel title={texts.inputs.password}>
      <Form
        key={change.isSuccess ? change.submittedAt : 'first'}
        error={change.error}
        onSubmit={({ current_password, new_password = '', revoke_tokens }) =>
          change.mutate({
            body: {
              new_password,
              revoke_tokens: revoke_tokens !== undefined,
              ...(current_password !== undefined && { current_password }),
            },
          })
        }
      >
        {isSet && <PasswordField name="current_password" label={texts.inputs.currentPassword} />}
        <PasswordField name="new_password" label={texts.inputs.newPassword} isNew />
        <CheckField name="revoke_tokens" label={texts.account.revokeTokens} hint={texts.account.revokeTokensHint} />
        <p className="note">{texts.account.passwordNote}</p>
        <FormButtons submit={submit} isDisabled={change.isPending} />
      </Form>
    </Panel>
  );
}
