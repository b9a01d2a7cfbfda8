import { useMutation } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { trySession } from 'conversation-analysis-client';
import { Button } from '../components/button.tsx';
import { reporting } from '../components/updates.ts';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';

const limit = pLimit(4);

interface TryNowProps {
  /** Sessions that wait for a provider. */
  ids: readonly string[];
  /** Whether they use the fallback instead. */
  fallback?: boolean;
  size?: 'small';
}

/** Ends the wait of sessions. Of several, those that ended or are tried in the meantime are left out. */
export function TryNow({ ids, fallback = false, size }: TryNowProps) {
  const run = useMutation({
    mutationFn: () =>
      Promise.all(
        ids.map((id) =>
          limit(() =>
            trySession({ path: { id }, body: { fallback }, throwOnError: true }).catch((error: unknown) => {
              if (ids.length === 1 || toFailure(error).status !== 409) throw error;
            }),
          ),
        ),
      ),
    ...reporting('listSessions', 'getSession', 'getSessionTimeline', 'getInfo'),
  });
  return (
    <Button scope="sessions:write" {...(size && { size })} disabled={run.isPending} onClick={() => run.mutate()}>
      {fallback ? texts.testing.fallback : texts.testing.tryNow}
    </Button>
  );
}
