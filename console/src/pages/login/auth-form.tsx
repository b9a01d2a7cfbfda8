import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeField, Form, TextField } from '../../components/field.tsx';
import { isOwnPath, NO_COOKIE } from '../../server/login.ts';
import { isProblemOf, isUnauthorized, toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';

interface AuthFormProps {
  submit: string;
  look?: 'primary' | 'plain';
  /** The page that required the login. It opens afterwards. Null: this page stays open. */
  next?: string | null | undefined;
  /** Logs in with the values of the form. Can return a page that opens if none required the login. */
  enter: (values: Record<string, string>) => Promise<string | undefined | void>;
  /** The inputs of the form. */
  children: ReactNode;
}

/** Logs in and opens the next page. If the account has a second factor, a second step asks for its code. */
export function AuthForm({ submit, look = 'primary', next, enter, children }: AuthFormProps) {
  const { history } = useRouter();
  const [needsCode, setNeedsCode] = useState(false);
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: enter,
    onSuccess: (page) => {
      if (page && next === undefined) location.assign(page);
      else if (next !== null) history.push(isOwnPath(next) ? `/console${next}` : '/console/');
    },
    onError: (failure) => isProblemOf(failure, 'second_factor_required') && setNeedsCode(true),
  });
  // Only here, an unauthorized request means that the values are wrong.
  const refusal = isUnauthorized(error)
    ? { ...toFailure(error), ...texts.login.refused, code: 'refused' }
    : error === NO_COOKIE
      ? { ...NO_COOKIE, ...texts.login.noCookie }
      : error;
  return (
    <Form
      isGuarded={false}
      error={isProblemOf(error, 'second_factor_required') ? undefined : refusal}
      onSubmit={mutate}
    >
      {/* Hidden inputs keep their values, which are sent again with the code. */}
      <div hidden={needsCode}>{children}</div>
      {needsCode && <CodeField autoFocus />}
      <Button type="submit" look={look} disabled={isPending}>
        {submit}
      </Button>
      {needsCode && (
        <Button
          look="quiet"
          onClick={() => {
            reset();
            setNeedsCode(false);
          }}
        >
          {texts.labels.back}
        </Button>
      )}
    </Form>
  );
}

/** The email address of an account. */
export const EmailField = (props: Partial<ComponentProps<typeof TextField>>) => (
  <TextField name="email" label={texts.inputs.email} type="email" autoComplete="username" required {...props} />
);
