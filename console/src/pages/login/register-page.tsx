import { LIMITS } from '../../../../contract/values/limits.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fields, PasswordField, TextField } from '../../components/field.tsx';
import { register } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import { AuthForm, EmailField } from './auth-form.tsx';
import { AuthPage } from './auth-page.tsx';

const route = getRouteApi('/register');
const words = texts.register;

export function RegisterPage() {
  const { next } = route.useSearch();
  return (
    <AuthPage
      title={words.title}
      subtitle={words.subtitle}
      other={
        <>
          {words.hasAccount}{' '}
          <Link to="/login" search={{ next }}>
            {texts.login.submit}
          </Link>
        </>
      }
    >
      <AuthForm
        submit={words.submit}
        next={next}
        enter={({ name = '', email = '', password = '' }) => register({ name, email, password })}
      >
        <Fields>
          <TextField
            name="name"
            label={texts.inputs.name}
            autoComplete="name"
            required
            maxLength={LIMITS.name}
            autoFocus
          />
          <EmailField />
          <PasswordField name="password" label={texts.inputs.password} isNew />
        </Fields>
      </AuthForm>
    </AuthPage>
  );
}
