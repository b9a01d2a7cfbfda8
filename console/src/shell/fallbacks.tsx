/** Shown instead of pages that are missing, loading or broken. */
import { TriangleAlert } from 'lucide-react';
import { Suspense } from 'react';
import { toFailure } from '../server/problem.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Page, Skeleton } from '../components/page.tsx';
import { Problem } from '../components/problem-note.tsx';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';

const Missing = lazyPart(() => import('./not-found.tsx'), 'NotFound');

/** Shown for an unknown address. */
export const NotFound = () => (
  <Suspense>
    <Missing />
  </Suspense>
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
