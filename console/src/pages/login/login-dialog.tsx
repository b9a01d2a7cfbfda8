/** Asks for a new login above the page, which keeps what the user has entered. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from 'conversation-analysis-client';
import { ButtonAnchor } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Fields, PasswordField } from '../../components/field.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { loginOptions, methodsOptions, openLogin, readLogin, ssoUrl } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import { AuthForm, EmailField } from './auth-form.tsx';

const words = texts.login;

/** After the dialog has opened, which focuses its first element. */
const focusPassword = (box: HTMLElement | null) =>
  void requestAnimationFrame(() => box?.querySelector<HTMLElement>('[name="password"]')?.focus());

export function LoginDialog({ settle }: { settle: (isDone: boolean) => void }) {
  const login = both(useQuery(loginOptions), useQuery(methodsOptions));
  const [user] = login.data ?? [];
  const enter = ({ id }: User) => (id === user?.id ? settle(true) : location.assign('/console/'));
  useEffect(() => {
    // Single sign-on happens in another tab.
    const look = () => void readLogin().then(enter, () => undefined);
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  });
  return (
    <Dialog role="alertdialog" onClose={() => undefined} title={words.title}>
      <p>{words.endedHere}</p>
      <Loaded query={login}>
        {([{ email, has_password }, { sso }]) => (
          <div className="stack" ref={focusPassword}>
            {sso && (
              <ButtonAnchor look={has_password ? 'plain' : 'primary'} href={ssoUrl('/')} target="_blank">
                {words.signInWith(sso.name)}
              </ButtonAnchor>
            )}
            {has_password && (
              <AuthForm
                submit={words.submit}
                next={null}
                enter={async ({ password = '', code }) =>
                  enter(await openLogin({ email, password, ...(code && { code }) }))
                }
              >
                <Fields>
                  <EmailField value={email} readOnly />
                  <PasswordField name="password" label={texts.inputs.password} />
                </Fields>
              </AuthForm>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
