import { useQuery } from '@tanstack/react-query';
import { getSessionOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Status } from '../../components/status.tsx';
import { usePollInterval } from '../../live/events.ts';
import { texts } from '../../texts/index.ts';
import { Waterfall } from '../session/waterfall.tsx';

const words = texts.start.outcome;

/** What becomes of the conversation that was submitted, as it happens. */
export function Outcome({ sessionId }: { sessionId: string }) {
  const interval = usePollInterval(true);
  const { data: session, error } = useQuery({
    ...getSessionOptions({ path: { id: sessionId } }),
    refetchInterval: ({ state: { data } }) => (data && data.completed_at === null ? interval : false),
  });
  if (error) return <Problem error={error} />;
  if (!session) return <Skeleton />;
  return (
    <>
      <Panel
        title={<Status name={session.status} />}
        actions={
          <ButtonLink look="primary" to="/sessions/$sessionId" params={{ sessionId }}>
            {words.open}
          </ButtonLink>
        }
      >
        <p>{session.summary_text ?? session.error?.message ?? words.underWay}</p>
      </Panel>
      <Waterfall sessionId={sessionId} isUnfinished={session.completed_at === null} />
    </>
  );
}
