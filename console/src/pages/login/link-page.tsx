/** Connects a single sign-on to the account with the same email address, after the user enters the account's password. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fields, PasswordField, TextField } from '../../components/field.tsx';
import { connectSso } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import { AuthForm } from './auth-form.tsx';
import { AuthPage } from './auth-page.tsx';

const route = getRouteApi('/link');
const words = texts.link;

export function LinkPage() {
  const { next } = route.useSearch();
  const { sso } = route.useLoaderData();
  const email = decodeURIComponent(location.hash.slice(1));
  return (
    <AuthPage
      title={words.title}
      subtitle={words.subtitle(email, sso?.name ?? '')}
      other={
        <Link to="/login" search={{ next }}>
          {texts.reset.back}
        </Link>
      }
    >
      <AuthForm
        submit={words.submit}
        next={next}
        enter={({ password = '', code }) => connectSso({ password, ...(code && { code }) })}
      >
        <Fields>
          <TextField name="email" label={texts.login.email} autoComplete="username" value={email} readOnly />
          <PasswordField name="password" label={texts.login.password} autoFocus />
          <Link to="/reset" className="note">
            {texts.login.forgot}
          </Link>
        </Fields>
      </AuthForm>
    </AuthPage>
  );
}
