import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { logIn } from '../../server/login.ts';
import { Button } from '../../components/button.tsx';
import { Form, TextField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import { goOn } from './next.ts';
import { Door } from './door.tsx';

const route = getRouteApi('/login');

export function LoginPage() {
  const { next, ended } = route.useSearch();
  const router = useRouter();
  const login = useMutation({ mutationFn: logIn, onSuccess: () => goOn(router, next) });
  return (
    <Door
      title={texts.login.title}
      subtitle={texts.login.subtitle}
      note={ended ? texts.login.ended : undefined}
      other={
        <>
          {texts.login.noAccount}{' '}
          <Link to="/register" search={{ next }}>
            {texts.login.register}
          </Link>
        </>
      }
    >
      <Form error={login.error} onSubmit={({ email = '', password = '' }) => login.mutate({ email, password })}>
        <TextField name="email" label={texts.login.email} type="email" autoComplete="username" required autoFocus />
        <TextField
          name="password"
          label={texts.login.password}
          type="password"
          autoComplete="current-password"
          required
        />
        <Button type="submit" look="primary" disabled={login.isPending}>
          {texts.login.submit}
        </Button>
      </Form>
    </Door>
  );
}
