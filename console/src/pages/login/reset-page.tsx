/** Requests a link to reset the password, or sets a new password with the link. */
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { confirmPasswordResetMutation, requestPasswordResetMutation } from 'conversation-analysis-client/react-query';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Form, PasswordField } from '../../components/field.tsx';
import { removeLinkToken } from '../../server/link-token.ts';
import { isBadLink } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';
import { EmailField } from './auth-form.tsx';
import { AuthPage } from './auth-page.tsx';

const route = getRouteApi('/reset');
const words = texts.reset;

export function ResetPage() {
  const { token } = route.useLoaderData();
  // The key resets the form if another link is opened in the same tab.
  return token === null ? <RequestLink /> : <SetPassword key={token} token={token} />;
}

function SetPassword({ token }: { token: string }) {
  const confirm = useMutation({
    ...confirmPasswordResetMutation(),
    onSuccess: () => removeLinkToken('/reset'),
    onError: (error) => isBadLink(error) && removeLinkToken('/reset'),
  });
  if (confirm.isSuccess) {
    return (
      <AuthPage title={words.setTitle} note={words.done}>
        <ButtonLink to="/login" look="primary">
          {texts.login.submit}
        </ButtonLink>
      </AuthPage>
    );
  }
  if (isBadLink(confirm.error)) return <RequestLink isExpired />;
  return (
    <AuthPage title={words.setTitle} subtitle={words.setSubtitle}>
      <Form
        isGuarded={false}
        error={confirm.error}
        onSubmit={({ new_password = '' }) => confirm.mutate({ body: { token, new_password } })}
      >
        <PasswordField name="new_password" label={texts.inputs.newPassword} isNew autoFocus />
        <Button type="submit" look="primary" disabled={confirm.isPending}>
          {words.set}
        </Button>
      </Form>
    </AuthPage>
  );
}

function RequestLink({ isExpired = false }: { isExpired?: boolean }) {
  const { password_reset: sendsEmails } = route.useLoaderData().methods;
  const request = useMutation(requestPasswordResetMutation());
  return (
    <AuthPage
      title={words.title}
      subtitle={sendsEmails ? words.subtitle : words.noMail}
      note={request.isSuccess ? words.sent(request.variables.body?.email ?? '') : undefined}
      alert={isExpired && !request.isSuccess ? words.badLink : undefined}
      other={<Link to="/login">{words.back}</Link>}
    >
      {sendsEmails && (
        <Form
          isGuarded={false}
          error={request.error}
          onSubmit={({ email = '' }) => request.mutate({ body: { email } })}
        >
          <EmailField autoFocus />
          <Button type="submit" look="primary" disabled={request.isPending}>
            {words.send}
          </Button>
        </Form>
      )}
    </AuthPage>
  );
}
