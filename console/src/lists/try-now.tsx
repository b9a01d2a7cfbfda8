import { useMutation } from '@tanstack/react-query';
import { trySession } from 'conversation-analysis-client';
import { Button } from '../components/button.tsx';
import { reporting } from '../components/updates.ts';
import { texts } from '../texts/index.ts';

interface TryNowProps {
  /** A session that waits for a provider. */
  id: string;
  /** Whether it uses the fallback instead. */
  fallback?: boolean;
}

/** Ends the wait of a session. */
export function TryNow({ id, fallback = false }: TryNowProps) {
  const run = useMutation({
    mutationFn: () => trySession({ path: { id }, body: { fallback }, throwOnError: true }),
    ...reporting('listSessions', 'getSession', 'getSessionTimeline', 'getInfo'),
  });
  return (
    <Button scope="sessions:write" disabled={run.isPending} onClick={() => run.mutate()}>
      {fallback ? texts.testing.fallback : texts.testing.tryNow}
    </Button>
  );
}
