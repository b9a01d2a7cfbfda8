import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import styles from './auth-page.module.css';

interface AuthPageProps {
  words: { title: string; subtitle: string; submit: string };
  note?: string | undefined;
  /** The page that required the login. */
  next: string | undefined;
  /** Logs in with the values of the form. */
  enter: (values: Record<string, string>) => Promise<void>;
  /** The fields of the form. */
  children: ReactNode;
  /** The link to the other form. */
  other: ReactNode;
}

/** The login or registration page. */
export function AuthPage({ words, note, next, enter, children, other }: AuthPageProps) {
  const { history } = useRouter();
  const { error, isPending, mutate } = useMutation({
    mutationFn: enter,
    onSuccess: () => {
      // A path of the console, never another site.
      const isOwnPath = next !== undefined && /^\/(?![/\\])/.test(next);
      history.push(isOwnPath ? `/console${next}` : '/console/');
    },
  });
  return (
    <main className={styles['layout']}>
      <div className={styles['card']}>
        <div>
          <img src="/console/favicon.svg" alt="" />
          <PageHeader title={words.title} below={words.subtitle} />
        </div>
        {note && (
          <p className={styles['note']} role="status">
            {note}
          </p>
        )}
        <Form isGuarded={false} error={error} onSubmit={mutate}>
          {children}
          <Button type="submit" look="primary" disabled={isPending}>
            {words.submit}
          </Button>
        </Form>
        <p className="note">{other}</p>
      </div>
    </main>
  );
}
