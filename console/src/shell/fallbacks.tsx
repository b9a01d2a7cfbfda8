/** Shown instead of pages that are missing, loading or broken. */
import { TriangleAlert } from 'lucide-react';
import { toFailure } from '../server/problem.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Page, Skeleton } from '../components/page.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem-note.tsx';
import { texts } from '../texts/index.ts';

const LISTS = { ...texts.common, assistants: texts.shell.assistants };

/** @param list the list that contained the object, if the page is that of an object. */
export const NotFound = ({ list }: { list?: 'sessions' | 'deliveries' | 'experiments' | 'assistants' }) => (
  <Page>
    <PageHeader title={list ? texts.problem.codes.not_found.title : texts.common.notFound} />
    <p>{texts.common.notFoundDetail}</p>
    <p className="row">
      {list && <ButtonLink to={`/${list}`}>{LISTS[list]}</ButtonLink>}
      <ButtonLink to="/">{texts.common.toStart}</ButtonLink>
    </p>
  </Page>
);

/** Shown instead of a page while its file loads. */
export const Pending = () => (
  <Page>
    <Skeleton lines={6} />
  </Page>
);

/** Shown instead of a page that threw an error: why a call failed, or advice to reload. */
export function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  const isCall = !(error instanceof Error) || error instanceof TypeError;
  if (isCall && toFailure(error).status === 404) return <NotFound />;
  return (
    <Page>
      {isCall ? (
        <Problem error={error} onRetry={reset} />
      ) : (
        <EmptyState
          icon={TriangleAlert}
          title={texts.shell.broke}
          detail={texts.shell.brokeDetail}
          actions={<Button onClick={() => location.reload()}>{texts.shell.reload}</Button>}
        />
      )}
    </Page>
  );
}
