import { getRouteApi, Link } from '@tanstack/react-router';
import { PasswordField, TextField } from '../../components/field.tsx';
import { register } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import { AuthPage } from './auth-page.tsx';

const route = getRouteApi('/register');
const words = texts.register;

export function RegisterPage() {
  const { next } = route.useSearch();
  return (
    <AuthPage
      words={words}
      next={next}
      enter={({ name = '', email = '', password = '' }) => register({ name, email, password })}
      other={
        <>
          {words.hasAccount}{' '}
          <Link to="/login" search={{ next }}>
            {words.logIn}
          </Link>
        </>
      }
    >
      <TextField name="name" label={words.name} autoComplete="name" required maxLength={200} autoFocus />
      <TextField name="email" label={texts.login.email} type="email" autoComplete="username" required />
      <PasswordField name="password" label={texts.login.password} isNew />
    </AuthPage>
  );
}
