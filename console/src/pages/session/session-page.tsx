import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import { getSessionOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Quote } from '../../../../contract/result-fields.ts';
import { FactStrip } from '../../components/facts.tsx';
import { Page, Panel, Skeleton } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Status } from '../../components/status.tsx';
import { Duration, Id, Money, Time } from '../../components/values.tsx';
import { useNow } from '../../format/clock.ts';
import { formatDuration } from '../../format/durations.ts';
import { usePollInterval } from '../../live/events.ts';
import { isNotFound } from '../../server/problem.ts';
import { NotFound } from '../../shell/fallbacks.tsx';
import { texts } from '../../texts/index.ts';
import { Conversation } from './conversation.tsx';
import { SessionActions } from './session-actions.tsx';
import { SessionTabs } from './session-tabs.tsx';
import { Waterfall } from './waterfall.tsx';
import styles from './session-page.module.css';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = texts.session;

const NO_QUOTES: readonly Quote[] = [];

const isFinal = ({ completed_at }: Session) => completed_at !== null;

/** One session: what happened, what was said, what came of it, where it went. */
export function SessionPage() {
  const { sessionId } = route.useParams();
  const interval = usePollInterval(true);
  const [quoted, setQuoted] = useState(NO_QUOTES);
  // A copy, so that the same words are shown again.
  const show = (quotes: readonly Quote[]) => setQuoted([...quotes]);
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    ...getSessionOptions({ path: { id: sessionId } }),
    refetchInterval: ({ state: { data } }) => (data && !isSettled(data) ? interval : false),
  });
  if (isNotFound(error)) return <NotFound />;
  if (!session) {
    return (
      <Page>
        <PageHeader title={words.title} above={<Above />} />
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader
        title={session.assistant.name}
        above={<Above />}
        below={<Marks session={session} />}
        actions={<SessionActions session={session} isFinal={isFinal(session)} />}
      />
      {session.summary_text && <p className={styles['summary']}>{session.summary_text}</p>}
      {session.error && <SessionFailure error={session.error} />}
      <Figures session={session} />
      <Waterfall sessionId={sessionId} isUnfinished={!isFinal(session)} />
      <div className={styles['split']}>
        <div className={styles['left']}>
          <Conversation session={session} quoted={quoted} onShow={show} />
        </div>
        <Panel isFlush>
          <div className={styles['tabbed']}>
            <SessionTabs session={session} onShow={show} />
          </div>
        </Panel>
      </div>
    </Page>
  );
}

/** Returns whether nothing more happens to a session: it has ended, and so has its delivery. */
const isSettled = (session: Session) => isFinal(session) && session.delivery?.status !== 'pending';

const Above = () => <Link to="/sessions">{texts.shell.sessions}</Link>;

function Marks({ session }: { session: Session }) {
  return (
    <div className={styles['marks']}>
      <Status name={session.status} />
      {session.delivery && (
        <>
          <span>{words.webhook}</span>
          <Status name={session.delivery.status} />
        </>
      )}
      {session.answered_by?.map(({ step, provider, reason }) => (
        <span key={step} className={styles['mark']}>
          {words.answeredBy(words.waterfall.steps[step], provider, texts.failures[reason])}
        </span>
      ))}
      {session.waiting_for && (
        <span>
          {words.waitingFor(session.waiting_for.provider, texts.failures[session.waiting_for.reason])}{' '}
          <Time at={session.waiting_for.since} isRelative />
        </span>
      )}
      {session.trial && (
        <span className={styles['mark']} title={words.trialWhy}>
          {texts.sessions.trial}
        </span>
      )}
      {session.simulated && (
        <span className={styles['mark']} title={words.simulatedWhy}>
          {words.simulated}
        </span>
      )}
      {session.source_session_id && (
        <Link to="/sessions/$sessionId" params={{ sessionId: session.source_session_id }}>
          {words.reanalysisOf}
        </Link>
      )}
    </div>
  );
}

function SessionFailure({ error }: { error: NonNullable<Session['error']> }) {
  const reason = texts.failures[error.code];
  const names: Partial<Record<string, string>> = texts.providers;
  const provider = error.provider && (names[error.provider] ?? error.provider);
  return (
    <div role="alert">
      <strong>{words.failedIn(words.waterfall.steps[error.stage], provider)}</strong> {reason}.{' '}
      {toSentence(error.message)} {error.retryable ? words.retryHelps : words.retryHelpsNot}
    </div>
  );
}

const toSentence = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`);

function Figures({ session }: { session: Session }) {
  const { assistant, transcript } = session;
  const now = useNow(session.completed_at === null);
  const tookMs =
    (session.completed_at === null ? now : Date.parse(session.completed_at)) - Date.parse(session.created_at);
  return (
    <FactStrip
      facts={[
        [words.id, <Id key="id" value={session.session_id} label={words.id} />],
        [words.started, <Time key="started" at={session.created_at} />],
        [words.took, <Duration key="took" ms={tookMs} />],
        [words.cost, <Money key="cost" usd={session.total_cost} isKnown={session.cost_known} />],
        [words.model, `${assistant.llm_provider} · ${assistant.llm_model}`],
        ...(session.assistant_version === null
          ? []
          : [
              [
                words.version,
                <VersionLink key="version" id={assistant.id} version={session.assistant_version} />,
              ] as const,
            ]),
        ...(assistant.stt_provider
          ? [[words.transcription, [assistant.stt_provider, assistant.stt_model].filter(Boolean).join(' · ')] as const]
          : []),
        ...(transcript?.duration_s ? [[words.audio, formatDuration(transcript.duration_s * 1_000)] as const] : []),
        ...(transcript?.language ? [[words.language, transcript.language] as const] : []),
      ]}
    />
  );
}

const VersionLink = ({ id, version }: { id: string; version: number }) => (
  <Link to="/assistants/$assistantId/versions" params={{ assistantId: id }} search={{ version }}>
    {version}
  </Link>
);
