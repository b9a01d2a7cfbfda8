/** The page of an invitation link, which contains the invitation's token. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  acceptInvitation,
  previewInvitation,
  registerInConsole,
  type InvitationPreview,
  type User,
} from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Form, PasswordField, TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { removeLinkToken } from '../../server/link-token.ts';
import { loginOptions, logOut } from '../../server/login.ts';
import { isNotFound, isUnauthorized } from '../../server/problem.ts';
import { homeOf, PERSONAL_API } from '../../server/workspace.ts';
import { texts } from '../../texts/index.ts';
import { EmailField } from './auth-form.tsx';
import { AuthPage } from './auth-page.tsx';

const route = getRouteApi('/invitation');
const words = texts.invitation;
const hints = texts.workspaces.roleHints;

export function InvitationPage() {
  const { token } = route.useLoaderData();
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) =>
      (await previewInvitation({ body: { token: token ?? '' }, signal, throwOnError: true })).data,
    enabled: token !== null,
  });
  const login = useQuery(loginOptions);
  if (token === null || isNotFound(preview.error)) {
    return <AuthPage title={words.gone} alert={words.goneDetail} other={<Link to="/">{texts.common.toStart}</Link>} />;
  }
  return (
    <AuthPage title={preview.data ? words.title(preview.data.workspace_name) : words.checking}>
      <Loaded query={preview}>
        {(invitation) => (
          <>
            <p>{words.detail(invitation.invited_by_name, texts.workspaces.roles[invitation.role])}</p>
            <p className="note">{hints[invitation.role]}</p>
            {login.data ? (
              <Accept invitation={invitation} token={token} user={login.data} />
            ) : isUnauthorized(login.error) ? (
              <Register invitation={invitation} token={token} />
            ) : (
              login.error && <Problem error={login.error} onRetry={() => void login.refetch()} />
            )}
          </>
        )}
      </Loaded>
    </AuthPage>
  );
}

interface InvitationProps {
  invitation: InvitationPreview;
  token: string;
}

/** Opens a workspace with a page load, which refreshes the user's workspaces. */
function open(workspaceId: string): void {
  removeLinkToken('/invitation');
  location.assign(homeOf(workspaceId));
}

function Accept({ invitation: { email }, token, user }: InvitationProps & { user: User }) {
  const accept = useMutation({
    mutationFn: async () =>
      (await acceptInvitation({ baseUrl: PERSONAL_API, body: { token }, throwOnError: true })).data,
    onSuccess: ({ workspace_id }) => open(workspace_id),
  });
  const leave = useMutation({ mutationFn: () => logOut(location.href) });
  if (user.email.toLowerCase() !== email.toLowerCase()) {
    return (
      <>
        <p role="alert">{words.other(email, user.email)}</p>
        {leave.error && <Problem error={leave.error} />}
        <Button disabled={leave.isPending} onClick={() => leave.mutate()}>
          {texts.shell.logOut}
        </Button>
      </>
    );
  }
  return (
    <>
      <p className="note">{words.loggedInAs(user.email)}</p>
      {accept.error && <Problem error={accept.error} />}
      <Button look="primary" disabled={accept.isPending} onClick={() => accept.mutate()}>
        {words.accept}
      </Button>
    </>
  );
}

/** Registers with the invitation. This also works if registration is closed. */
function Register({ invitation: { email }, token }: InvitationProps) {
  const { password: hasPasswords } = route.useLoaderData().methods;
  const create = useMutation({
    mutationFn: async ({ name = '', password = '' }: Record<string, string>) =>
      (await registerInConsole({ body: { name, email, password, invitation: token }, throwOnError: true })).data.user,
    // The invitation's workspace becomes the default workspace.
    onSuccess: ({ default_workspace_id }) => open(default_workspace_id),
  });
  return (
    <>
      {hasPasswords && (
        <Form isGuarded={false} error={create.error} onSubmit={create.mutate}>
          <TextField name="name" label={texts.inputs.name} autoComplete="name" required maxLength={LIMITS.name} />
          <EmailField value={email} readOnly />
          <PasswordField name="password" label={texts.inputs.password} isNew />
          <Button type="submit" look="primary" disabled={create.isPending}>
            {words.createAccount}
          </Button>
        </Form>
      )}
      <p className="note">
        {texts.register.hasAccount}{' '}
        <Link to="/login" search={{ next: '/invitation' }}>
          {texts.login.submit}
        </Link>
      </p>
    </>
  );
}
