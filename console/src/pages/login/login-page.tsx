import { getRouteApi, Link } from '@tanstack/react-router';
import { ButtonAnchor } from '../../components/button.tsx';
import { Fields, PasswordField } from '../../components/field.tsx';
import { logIn, ssoUrl } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import { AuthForm, EmailField } from './auth-form.tsx';
import { AuthPage } from './auth-page.tsx';
import styles from './auth-page.module.css';

const route = getRouteApi('/login');
const words = texts.login;
const errors = { ...words.errors };
const notes: Record<string, string> = { yes: words.ended, deleted: texts.login.deleted };

export function LoginPage() {
  const { next, ended, error } = route.useSearch();
  const { password: hasPasswords, registration, sso } = route.useLoaderData();
  return (
    <AuthPage
      title={words.title}
      subtitle={words.subtitle}
      note={notes[ended ?? '']}
      alert={error && errors[error]}
      other={
        registration !== 'closed' && (
          <>
            {words.noAccount}{' '}
            <Link to="/register" search={{ next }}>
              {words.register}
            </Link>
          </>
        )
      }
    >
      {sso && (
        <ButtonAnchor look="primary" href={ssoUrl(next ?? '/')}>
          {words.signInWith(sso.name)}
        </ButtonAnchor>
      )}
      {sso && hasPasswords && <p className={styles['or']}>{words.or}</p>}
      {hasPasswords && (
        <AuthForm
          submit={words.submit}
          look={sso ? 'plain' : 'primary'}
          next={next}
          enter={({ email = '', password = '', code }) => logIn({ email, password, ...(code && { code }) })}
        >
          <Fields>
            <EmailField autoFocus={!sso} />
            <PasswordField name="password" label={texts.inputs.password} />
            <Link to="/reset" className="note">
              {words.forgot}
            </Link>
          </Fields>
        </AuthForm>
      )}
      {sso && ended === 'out' && (
        <a className="note" href="/api/v1/auth/oidc/end">
          {words.endSso(sso.name)}
        </a>
      )}
    </AuthPage>
  );
}
