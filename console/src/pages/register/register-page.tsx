import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { register } from '../../server/login.ts';
import { Button } from '../../components/button.tsx';
import { Form, TextField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import { Door } from '../login/door.tsx';
import { goOn } from '../login/next.ts';

const route = getRouteApi('/register');

export function RegisterPage() {
  const { next } = route.useSearch();
  const router = useRouter();
  const registration = useMutation({ mutationFn: register, onSuccess: () => goOn(router, next) });
  return (
    <Door
      title={texts.register.title}
      subtitle={texts.register.subtitle}
      other={
        <>
          {texts.register.hasAccount}{' '}
          <Link to="/login" search={{ next }}>
            {texts.register.logIn}
          </Link>
        </>
      }
    >
      <Form
        error={registration.error}
        onSubmit={({ name = '', email = '', password = '' }) => registration.mutate({ name, email, password })}
      >
        <TextField name="name" label={texts.register.name} autoComplete="name" required maxLength={200} autoFocus />
        <TextField name="email" label={texts.register.email} type="email" autoComplete="username" required />
        <TextField
          name="password"
          label={texts.register.password}
          hint={texts.register.passwordHint}
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
        />
        <Button type="submit" look="primary" disabled={registration.isPending}>
          {texts.register.submit}
        </Button>
      </Form>
    </Door>
  );
}
