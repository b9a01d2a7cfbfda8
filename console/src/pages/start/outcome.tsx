import { useQuery } from '@tanstack/react-query';
import type { Session } from 'conversation-analysis-client';
import { getSessionOptions } from 'conversation-analysis-client/react-query';
import { ButtonLink } from '../../components/button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { usePollWhile } from '../../live/events.ts';
import { wordFailure } from '../../server/reasons.ts';
import { texts } from '../../texts/index.ts';
import { ResultTab } from '../../conversation/result-tab.tsx';
import { Timeline } from '../../conversation/timeline.tsx';

/** Live status and result of the submitted conversation. */
export function Outcome({ sessionId }: { sessionId: string }) {
  const session = useQuery({
    ...getSessionOptions({ path: { id: sessionId } }),
    refetchInterval: usePollWhile<Session>((data) => data?.completed_at === null),
  });
  return (
    <Loaded query={session}>
      {(data) => (
        <>
          <Panel
            title={<Status name={data.status} />}
            actions={
              <ButtonLink to="/sessions/$sessionId" params={{ sessionId }}>
                {texts.deliveries.openSession}
              </ButtonLink>
            }
          >
            <div className="stack">
              <p dir="auto">{data.error ? wordFailure(data.error) : (data.summary_text ?? texts.start.running)}</p>
              {data.raw_response && <ResultTab session={data} onShow={undefined} reviewing={undefined} />}
            </div>
          </Panel>
          <Timeline session={data} />
        </>
      )}
    </Loaded>
  );
}
