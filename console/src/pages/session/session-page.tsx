import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from 'conversation-analysis-client';
import { getInfoOptions, getSessionOptions, listSessionsOptions } from 'conversation-analysis-client/react-query';
import type { Quote } from '../../../../contract/fields/result-fields.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Status } from '../../components/status.tsx';
import { Countdown, Time } from '../../components/values.tsx';
import { formatPosition } from '../../format/durations.ts';
import { firstValue, pairsOf } from '../../format/metadata.ts';
import { formatBytes } from '../../format/numbers.ts';
import { providerName } from '../../format/providers.ts';
import { formatShortTime } from '../../format/times.ts';
import { usePollWhile } from '../../live/events.ts';
import { isNotFound, sentenceOf } from '../../server/problem.ts';
import { wordFailure } from '../../server/reasons.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { texts } from '../../texts/index.ts';
import { SetBudgetButton } from '../../budget/set-budget-button.tsx';
import { Conversation } from '../../conversation/conversation.tsx';
import { Redaction } from './redaction.tsx';
import { Neighbors, ToList } from './above.tsx';
import { useSessionActions } from './session-actions.tsx';
import { SessionTabs } from './session-tabs.tsx';
import { Summary } from './summary.tsx';
import { useTurnNotes } from './use-review.ts';
import { STEPS, Timeline } from '../../conversation/timeline.tsx';
import styles from './session-page.module.css';
import list from '../../lists/list.module.css';
import split from '../../conversation/split.module.css';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = texts.session;

const isFinal = ({ completed_at }: Session) => completed_at !== null;

/** Returns whether the session and its delivery have ended. */
const isSettled = (session: Session) => isFinal(session) && session.delivery?.status !== 'pending';

export function SessionPage() {
  const { sessionId } = route.useParams();
  const query = useQuery({
    ...getSessionOptions({ path: { id: sessionId } }),
    refetchInterval: usePollWhile<Session>((data) => data !== undefined && !isSettled(data)),
  });
  // The information about the installation adds a button and a mark, and would move the page below them.
  const { isPending } = useQuery(getInfoOptions());
  const session = isPending ? undefined : query.data;
  // Not in the cache: each reading is recorded.
  const [revealed, setRevealed] = useState<Session>();
  const actions = useSessionActions(session);
  const isDeleted = isNotFound(query.error);
  if (isDeleted && !query.data) return <NotFound list="sessions" />;
  return (
    <Page>
      <PageHeader
        {...titlesOf(session)}
        crumb={<ToList sessionId={sessionId} />}
        beside={
          <>
            <Neighbors sessionId={sessionId} />
            {/* The page stays: it may contain a text that somebody is writing, and leads to the next session. */}
            {isDeleted && <strong role="alert">{texts.status.deleted}</strong>}
          </>
        }
        below={session && <Marks session={session} onReveal={setRevealed} />}
        {...actions}
      />
      <Loaded query={{ ...query, data: session }} lines={8}>
        {(loaded) => <Content session={revealed && isSame(revealed, loaded) ? revealed : loaded} />}
      </Loaded>
    </Page>
  );
}

/** Returns whether the session has not changed since its originals were revealed. */
const isSame = (revealed: Session, { session_id, completed_at, roles }: Session) =>
  revealed.session_id === session_id &&
  revealed.completed_at === completed_at &&
  revealed.roles?.source === roles?.source;

const TITLE_LENGTH = 60;

const cut = (text: string) => (text.length <= TITLE_LENGTH ? text : `${text.slice(0, TITLE_LENGTH - 1).trimEnd()}…`);

/** Returns the title of the page and of the tab: the first metadata value, otherwise the assistant's name and the summary. */
function titlesOf(session: Session | undefined): { title: string; tabTitle?: string | undefined } {
  if (!session) return { title: texts.kinds.sess };
  const id = firstValue(session.metadata);
  if (id !== undefined) return { title: cut(id) };
  return { title: session.assistant.name, tabTitle: session.summary_text ? cut(session.summary_text) : undefined };
}

/** Summary, result, conversation and timeline. */
function Content({ session }: { session: Session }) {
  const { t, q } = route.useSearch();
  const [quoted, setQuoted] = useState<readonly Quote[]>([]);
  // A new array, because a second click must show the same quotes again.
  const show = (quotes: readonly Quote[]) => setQuoted([...quotes]);
  const notes = useTurnNotes(session);
  return (
    <>
      {session.summary_text && <Summary session={session} text={session.summary_text} />}
      {session.error && <SessionFailure error={session.error} />}
      {session.waiting_for && <Waiting wait={session.waiting_for} />}
      <div className={split['split']}>
        <div className={`stack ${styles['left']}`}>
          {/* Without answers, what ran comes first. */}
          {session.raw_response === null && <Timeline session={session} />}
          <Panel isFlush>
            <div className={`stack ${styles['tabbed']}`}>
              <SessionTabs session={session} onShow={show} />
            </div>
          </Panel>
          {session.raw_response !== null && <Timeline session={session} />}
        </div>
        <div className={`${split['conversation']} ${styles['right']}`}>
          <Conversation session={session} quoted={quoted} onShow={show} notes={notes} startS={t} q={q} />
        </div>
      </div>
    </>
  );
}

function Marks({ session, onReveal }: { session: Session; onReveal: (revealed: Session) => void }) {
  const { data: info } = useQuery(getInfoOptions());
  const { delivery } = session;
  const mark = (text: string, why?: string) => (
    <span key={text} className={list['mark']} title={why}>
      {text}
    </span>
  );
  return (
    <div className={`row ${styles['marks']}`}>
      {session.status !== 'completed' && (
        <Status name={session.status} waitsFor={providerName(session.waiting_for?.provider ?? null)} />
      )}
      <Pairs metadata={session.metadata} />
      <Time at={session.occurred_at} />
      {session.transcript?.duration_s && <span>{formatPosition(session.transcript.duration_s)}</span>}
      {(firstValue(session.metadata) !== undefined || !session.assistant_version) && (
        <AssistantLink assistant={session.assistant} />
      )}
      {session.assistant_version && <VersionLink id={session.assistant.id} version={session.assistant_version} />}
      {delivery && (
        <Status
          name={delivery.status === 'failed' ? 'undelivered' : delivery.status}
          attempts={delivery.attempt_count}
        />
      )}
      {session.answered_by?.map(({ step, provider, reason }) =>
        mark(words.answeredBy(STEPS[step], providerName(provider) ?? provider, texts.failures[reason])),
      )}
      {session.queue && <span>{words.queued(session.queue.ahead)}</span>}
      {session.status === 'fetching' && session.audio_source && <Download source={session.audio_source} />}
      {!isFinal(session) && info?.workers.running === 0 && mark(texts.system.workersRunning(0))}
      {session.trial && mark(texts.sessions.trial, words.trialWhy)}
      {session.simulated && mark(texts.system.simulated, words.simulatedWhy)}
      <Redaction session={session} onReveal={onReveal} />
      {session.source_session_id && <SessionLink id={session.source_session_id} text={words.reanalysisOf} />}
      {session.first_session_id && <SessionLink id={session.first_session_id} text={words.followUpOf} />}
      {isFinal(session) && !session.first_session_id && <FollowUps of={session.session_id} />}
    </div>
  );
}

const SessionLink = ({ id, text }: { id: string; text: string }) => (
  <Link to="/sessions/$sessionId" params={{ sessionId: id }}>
    {text}
  </Link>
);

function FollowUps({ of: first_session_id }: { of: string }) {
  const { data } = useQuery(listSessionsOptions({ query: { first_session_id } }));
  return data?.data.map(({ session_id: id, assistant: { name } }) => (
    <SessionLink key={id} id={id} text={`${texts.settingTitles.follow_ups}: ${name}`} />
  ));
}

/** The metadata without the title of the page. */
const Pairs = ({ metadata }: Pick<Session, 'metadata'>) =>
  pairsOf(metadata)
    .filter(([, value], index) => index > 0 || value.length > TITLE_LENGTH)
    .map(([key, value]) => (
      <Link
        key={key}
        to="/sessions"
        search={{ metadata: `${key}=${value}` }}
        className={`cut ${styles['pair']}`}
        title={`${key}: ${value}`}
      >
        <bdi>{value}</bdi>
      </Link>
    ));

function Waiting({ wait: { reason, since, next_try_at } }: { wait: NonNullable<Session['waiting_for']> }) {
  return (
    <p>
      <strong>{sentenceOf(texts.failures[reason])}</strong>{' '}
      {words.waitingSince(formatShortTime(since), formatShortTime(next_try_at))}
    </p>
  );
}

/** Host, bytes, and the last failure of a download in progress. */
function Download({ source }: { source: NonNullable<Session['audio_source']> }) {
  const { host, bytes_received: received, bytes_total: total, last_failure: failure, next_attempt_at: next } = source;
  const bytes = [received, total].filter((count) => count !== null).map(formatBytes);
  return (
    <>
      <span>
        {host} · {bytes.join(' / ')}
      </span>
      {failure && <span>{source.status_code === null ? texts.failures[failure] : `HTTP ${source.status_code}`}</span>}
      {next && <Countdown to={next} />}
    </>
  );
}

function SessionFailure({ error }: { error: NonNullable<Session['error']> }) {
  const provider = providerName(error.provider);
  const isBudget = error.code === 'budget_exceeded';
  return (
    <div role="alert">
      <strong>{words.failedIn(STEPS[error.stage], provider)}</strong> {sentenceOf(wordFailure(error))}{' '}
      {isBudget ? <SetBudgetButton label={texts.usage.raiseBudget} /> : error.retryable && words.retryHelps}
      {error.provider_message && (
        <p dir="auto">
          {words.providerSaid(provider ?? '')} <q>{error.provider_message}</q>
        </p>
      )}
    </div>
  );
}

const AssistantLink = ({ assistant: { id, name } }: Pick<Session, 'assistant'>) => (
  <Link to="/assistants/$assistantId" params={{ assistantId: id }} dir="auto">
    {name}
  </Link>
);

const VersionLink = ({ id, version }: { id: string; version: number }) => (
  <Link to="/assistants/$assistantId/versions" params={{ assistantId: id }} search={{ version }}>
    {texts.versions.of(version)}
  </Link>
);
