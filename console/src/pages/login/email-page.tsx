/** Confirms an email address with the link that was sent to it. Requires a login. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { confirmEmailMutation } from 'conversation-analysis-client/react-query';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { removeLinkToken } from '../../server/link-token.ts';
import { loginOptions } from '../../server/login.ts';
import { isBadLink } from '../../server/problem.ts';
import { queryClient } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { AuthPage } from './auth-page.tsx';

const route = getRouteApi('/email');
const { loggedInAs } = texts.invitation;
const words = texts.confirmEmail;

export function EmailPage() {
  const token = route.useLoaderData();
  // The key resets the form if another link is opened in the same tab.
  return <ConfirmEmail key={token} token={token} />;
}

function ConfirmEmail({ token }: { token: string | null }) {
  const { data: user } = useQuery(loginOptions);
  const confirm = useMutation({
    ...confirmEmailMutation(),
    onSuccess: (changed) => {
      removeLinkToken('/email');
      queryClient.setQueryData(loginOptions.queryKey, changed);
    },
    onError: (error) => isBadLink(error) && removeLinkToken('/email'),
  });
  const isBad = token === null || isBadLink(confirm.error);
  const isOver = isBad || confirm.isSuccess;
  return (
    <AuthPage
      title={words.title}
      subtitle={user && loggedInAs(user.email)}
      note={confirm.isSuccess ? words.done(confirm.data.email) : undefined}
      alert={isBad ? words.badLink : undefined}
    >
      {!isOver && confirm.error !== null && <Problem error={confirm.error} />}
      {isOver ? (
        <ButtonLink to="/settings/security" look="primary">
          {words.toSecurity}
        </ButtonLink>
      ) : (
        <Button look="primary" disabled={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
          {words.confirm}
        </Button>
      )}
    </AuthPage>
  );
}
