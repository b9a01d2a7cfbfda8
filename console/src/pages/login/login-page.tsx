import { getRouteApi, Link } from '@tanstack/react-router';
import { PasswordField, TextField } from '../../components/field.tsx';
import { logIn } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import { AuthPage } from './auth-page.tsx';

const route = getRouteApi('/login');
const words = texts.login;

export function LoginPage() {
  const { next, ended } = route.useSearch();
  return (
    <AuthPage
      words={words}
      note={ended && words.ended}
      next={next}
      enter={({ email = '', password = '' }) => logIn({ email, password })}
      other={
        <>
          {words.noAccount}{' '}
          <Link to="/register" search={{ next }}>
            {words.register}
          </Link>
        </>
      }
    >
      <TextField name="email" label={words.email} type="email" autoComplete="username" required autoFocus />
      <PasswordField name="password" label={words.password} />
    </AuthPage>
  );
}
