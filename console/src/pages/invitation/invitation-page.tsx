/** An invitation, by the link that contains its token. The token is behind `#`: no log of a server contains it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { acceptInvitation, previewInvitation, registerInConsole } from 'conversation-analysis-client';
import type { InvitationPreview, User } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Form, PasswordField, TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { loginOptions, logOut } from '../../server/login.ts';
import { isNotFound, isUnauthorized } from '../../server/problem.ts';
import { homeOf, PERSONAL_API } from '../../server/workspace.ts';
import { texts } from '../../texts/index.ts';
import styles from '../login/auth-page.module.css';

const words = texts.invitation;

/** Keeps the token of this tab while the person logs in. */
const KEY = 'console.invitation';

export function InvitationPage() {
  const hash = useLocation({ select: (location) => location.hash });
  const token = hash || (sessionStorage.getItem(KEY) ?? '');
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => (await previewInvitation({ body: { token }, signal, throwOnError: true })).data,
  });
  const login = useQuery(loginOptions);
  if (isNotFound(preview.error) || token === '') {
    return (
      <Card title={words.gone}>
        <p>{words.goneDetail}</p>
        <p className="note">
          <Link to="/">{texts.common.toStart}</Link>
        </p>
      </Card>
    );
  }
  const invitation = preview.data;
  return (
    <Card title={invitation ? words.title(invitation.workspace_name) : words.checking}>
      <Loaded query={preview}>
        {(loaded) => (
          <>
            <p>{words.detail(loaded.invited_by_name, texts.workspaces.roles[loaded.role])}</p>
            <p className="note">{texts.workspaces.roleHints[loaded.role]}</p>
            {login.data ? (
              <Accept invitation={loaded} token={token} user={login.data} />
            ) : isUnauthorized(login.error) ? (
              <Register invitation={loaded} token={token} />
            ) : (
              login.error && <Problem error={login.error} onRetry={() => void login.refetch()} />
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className={styles['layout']}>
    <div className={styles['card']}>
      <div>
        <img src="/console/favicon.svg" alt="" />
        <PageHeader title={title} />
      </div>
      {children}
    </div>
  </main>
);

interface InvitationProps {
  invitation: InvitationPreview;
  token: string;
}

/** Opens a workspace by a page load, which reads the user's workspaces again. */
function open(workspaceId: string): void {
  sessionStorage.removeItem(KEY);
  location.assign(homeOf(workspaceId));
}

function Accept({ invitation: { email }, token, user }: InvitationProps & { user: User }) {
  const accept = useMutation({
    mutationFn: async () =>
      (await acceptInvitation({ baseUrl: PERSONAL_API, body: { token }, throwOnError: true })).data,
    onSuccess: ({ workspace_id }) => open(workspace_id),
  });
  const leave = useMutation({ mutationFn: logOut, onSuccess: () => location.reload() });
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

/** Registers with the invitation, which works even if registration is closed. */
function Register({ invitation: { email }, token }: InvitationProps) {
  const create = useMutation({
    mutationFn: async ({ name = '', password = '' }: Record<string, string>) =>
      (await registerInConsole({ body: { name, email, password, invitation: token }, throwOnError: true })).data.user,
    // The workspace of the invitation is the default one.
    onSuccess: ({ default_workspace_id }) => open(default_workspace_id),
  });
  return (
    <>
      <Form isGuarded={false} error={create.error} onSubmit={create.mutate}>
        <TextField name="name" label={texts.register.name} autoComplete="name" required maxLength={200} />
        <TextField name="email" label={texts.login.email} type="email" autoComplete="username" value={email} readOnly />
        <PasswordField name="password" label={texts.login.password} isNew />
        <Button type="submit" look="primary" disabled={create.isPending}>
          {words.createAccount}
        </Button>
      </Form>
      <p className="note">
        {texts.register.hasAccount}{' '}
        <Link to="/login" search={{ next: '/invitation' }} onClick={() => sessionStorage.setItem(KEY, token)}>
          {texts.register.logIn}
        </Link>
      </p>
    </>
  );
}
