import { useMutation, useQuery } from '@tanstack/react-query';
import { proveIdentityMutation } from 'conversation-analysis-client/react-query';
import type { LoginMethods, User } from 'conversation-analysis-client';
import { loginOptions, methodsOptions, openSsoAction } from '../server/login.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { CodeField, Form, FormButtons, PasswordField } from './field.tsx';
import { both, Loaded } from './loaded.tsx';
import { Problem } from './problem-note.tsx';

const words = texts.proof;

interface ProofDialogProps {
  /** Receives whether the user has confirmed. */
  settle: (isProved: boolean) => void;
}

export function ProofDialog({ settle }: ProofDialogProps) {
  const login = both(useQuery(loginOptions), useQuery(methodsOptions));
  return (
    <Dialog onClose={() => settle(false)} title={words.title}>
      <p>{words.detail}</p>
      <Loaded query={login}>
        {([user, { sso }]) =>
          user.second_factor || user.has_password || !sso ? (
            <Prove user={user} settle={settle} />
          ) : (
            <ProveWithSso sso={sso} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Prove({ user, settle }: ProofDialogProps & { user: User }) {
  const prove = useMutation({ ...proveIdentityMutation(), onSuccess: () => settle(true) });
  return (
    <Form isGuarded={false} error={prove.error} onSubmit={(body) => prove.mutate({ body })}>
      {user.second_factor ? (
        <CodeField autoFocus />
      ) : (
        <PasswordField name="current_password" label={texts.inputs.currentPassword} autoFocus />
      )}
      <FormButtons submit={words.confirm} isDisabled={prove.isPending} onCancel={() => settle(false)} />
    </Form>
  );
}

function ProveWithSso({ sso }: { sso: NonNullable<LoginMethods['sso']> }) {
  const start = useMutation({ mutationFn: () => openSsoAction('proof') });
  return (
    <>
      <p className="note">{words.ssoDetail}</p>
      {start.error !== null && <Problem error={start.error} />}
      <Button look="primary" disabled={start.isPending} onClick={() => start.mutate()}>
        {texts.login.signInWith(sso.name)}
      </Button>
    </>
  );
}
