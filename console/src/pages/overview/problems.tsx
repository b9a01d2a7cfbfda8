/** Whether all is well, in one line, and what needs attention: each problem with its cause, number, time and action. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, HelpCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FailingReceiver, ServiceInfo, SessionFailures, StatsReport } from 'conversation-analysis-client';
import { getInfoOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { useBudgetWarning } from '../../budget/budget-panel.tsx';
import { SetBudgetButton } from '../../budget/set-budget-button.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Countdown } from '../../components/values.tsx';
import { MINUTE_MS, useSteppedNow } from '../../format/clock.ts';
import { formatBytes, formatPercent } from '../../format/numbers.ts';
import { providerName } from '../../format/providers.ts';
import { formatShortTime } from '../../format/times.ts';
import { RedeliverLink } from '../../lists/redeliver-link.tsx';
import type { SessionsSearch } from '../../lists/search.ts';
import type { OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import styles from './overview.module.css';

const words = texts.overview;
const small = { size: 'small' } as const;

/** A single failed call is repeated after seconds, which is no problem yet. */
const WAITS_MS = 30_000;
/** How long the oldest session may be queued while workers run. */
const QUEUED_MS = 10 * MINUTE_MS;
/** From this share on, storage is nearly full. */
const NEARLY_FULL = 0.9;

/** Links to the sessions of a problem. */
const toSessions = (search: SessionsSearch) => (
  <ButtonLink {...small} to="/sessions" search={search}>
    {words.showSessions}
  </ButtonLink>
);

interface Problem {
  key: string;
  /** What happened, why and since when. */
  text: ReactNode;
  actions?: ReactNode;
}

interface StateProps {
  report: StatsReport;
  /** The last request for the report failed. */
  isUnknown: boolean;
  range: OverviewRange;
}

/** The line of state, the problems, and the failures that are over. */
export function State({ report, isUnknown, range }: StateProps) {
  const info = useQuery({ ...getInfoOptions(), refetchInterval: 15_000 });
  const assistants = useQuery(listAssistantsOptions());
  const budget = useBudgetWarning();
  const now = useSteppedNow(1_000);
  const timeOf = (at: string) => formatShortTime(at, now);
  if (isUnknown || info.isError) return <Line look="unknown" text={words.state.unknown} />;
  if (!info.data) return <Line look="unknown" text={texts.common.loading} />;
  const used = new Set<string | null | undefined>(
    assistants.data?.data.flatMap(({ llm_provider, stt_provider, fallback }) => [
      llm_provider,
      stt_provider,
      fallback?.llm_provider,
      fallback?.stt_provider,
    ]),
  );
  const problems: Problem[] = [
    ...findServiceProblems(info.data, now, timeOf, (provider) => !assistants.data || used.has(provider)),
    ...report.receivers.filter(isOpen).map((receiver) => toReceiverProblem(receiver, range, timeOf)),
    ...report.session_failures.map((failures) => toFailureProblem(failures, range, timeOf)),
    ...findFull(info.data),
    ...(budget.text
      ? [{ key: 'budget', text: budget.text, actions: <SetBudgetButton label={texts.usage.raiseBudget} /> }]
      : []),
  ];
  return (
    <div className="stack">
      <Line
        look={problems.length === 0 ? 'good' : 'bad'}
        text={problems.length === 0 ? words.state.good : words.state.problems(problems.length)}
      />
      {problems.length > 0 && (
        <ul className={styles['problems']} aria-label={words.state.list}>
          {problems.map(({ key, text, actions }) => (
            <li key={key} className="row apart">
              <p>{text}</p>
              <span className="row">{actions}</span>
            </li>
          ))}
        </ul>
      )}
      {report.receivers
        .filter((receiver) => !isOpen(receiver))
        .map(({ host, failed_until, accepted_since }) => (
          <p key={host} className="note">
            {words.acceptsAgain(host, timeOf(failed_until), timeOf(accepted_since ?? failed_until))}
          </p>
        ))}
    </div>
  );
}

const LOOKS = {
  good: [CircleCheck, 'good'],
  bad: [TriangleAlert, 'warn'],
  unknown: [HelpCircle, 'ink-muted'],
} as const;

function Line({ look, text }: { look: keyof typeof LOOKS; text: string }) {
  const [Icon, color] = LOOKS[look];
  return (
    <p role="status" className={`row ${styles['state']}`} style={{ color: `var(--${color})` }}>
      <Icon size={16} aria-hidden />
      {text}
    </p>
  );
}

type TimeOf = (at: string) => string;

/** Workers, providers and the queue. */
function findServiceProblems(
  { workers, waiting, open_circuits, queue }: ServiceInfo,
  now: number,
  timeOf: TimeOf,
  isUsed: (provider: string) => boolean,
): Problem[] {
  const isLong = (since: string, limitMs: number) => now - Date.parse(since) > limitMs;
  const isDown = (provider: string) => open_circuits.some((circuit) => circuit.provider === provider);
  const waits = waiting.filter(({ provider, since }) => isDown(provider) || isLong(since, WAITS_MS));
  const problems = waits.map(({ provider, reason, since, sessions, next_try_at }) => ({
    key: provider,
    text: (
      <>
        {words.down(providerName(provider) ?? provider, texts.failures[reason], timeOf(since))} {words.waits(sessions)}{' '}
        {words.nextTry} <Countdown to={next_try_at} />
      </>
    ),
    actions: toSessions({ waiting_for: provider, reanalysis: 'any' }),
  }));
  const others = open_circuits
    .filter(({ provider }) => isUsed(provider) && !waits.some((wait) => wait.provider === provider))
    .map(({ provider, step, reason, since }) => ({
      key: `${provider} ${step}`,
      text: `${words.down(providerName(provider) ?? provider, texts.failures[reason], timeOf(since))} ${words.paused}`,
    }));
  if (workers.running === 0) {
    const since = workers.last_seen_at && timeOf(workers.last_seen_at);
    const actions = (
      <ButtonLink {...small} to="/system">
        {texts.shell.system}
      </ButtonLink>
    );
    return [{ key: 'workers', text: texts.shell.noWorker(since), actions }, ...problems, ...others];
  }
  const oldest = queue.oldest_queued_at;
  if (oldest === null || !isLong(oldest, QUEUED_MS)) return [...problems, ...others];
  const actions = toSessions({ status: 'queued', reanalysis: 'any' });
  return [...problems, ...others, { key: 'queue', text: words.queued(queue.waiting, timeOf(oldest)), actions }];
}

const isOpen = ({ failed, retrying }: FailingReceiver) => failed + retrying > 0;

function toReceiverProblem(receiver: FailingReceiver, range: OverviewRange, timeOf: TimeOf): Problem {
  const { host, failed, retrying, next_attempt_at, last_failure, last_status_code, failing_since, failed_until } =
    receiver;
  const { accepted_since, assistant_ids } = receiver;
  const cause = texts.failures[last_failure] + (last_failure === 'http_status' ? ` (HTTP ${last_status_code})` : '');
  // The list of deliveries has no filter by host. An assistant usually has one receiver.
  const search = { range, ...(assistant_ids.length === 1 && { assistant_id: assistant_ids[0] }) };
  return {
    key: `to ${host}`,
    text: (
      <>
        {accepted_since === null
          ? words.receiver(host, cause, timeOf(failing_since))
          : words.acceptsAgain(host, timeOf(failed_until), timeOf(accepted_since))}{' '}
        {failed > 0 && words.undelivered(failed)} {retrying > 0 && words.retrying(retrying)}
        {next_attempt_at && (
          <>
            {' '}
            {words.nextTry} <Countdown to={next_attempt_at} />
          </>
        )}
      </>
    ),
    actions: (
      <>
        <ButtonLink {...small} to="/deliveries" search={{ ...search, status: failed > 0 ? 'failed' : 'pending' }}>
          {words.showDeliveries}
        </ButtonLink>
        {failed > 0 && <RedeliverLink {...small} search={{ ...search, status: 'failed' }} />}
      </>
    ),
  };
}

function toFailureProblem(
  { code, count, retryable, providers, last_at }: SessionFailures,
  range: OverviewRange,
  timeOf: TimeOf,
): Problem {
  const cause = [texts.failures[code], ...providers.map(providerName)].join(' · ');
  const search = { status: 'failed', error_code: code, range } as const;
  return {
    key: code,
    text: words.failures(count, cause, timeOf(last_at)),
    actions: (
      <>
        {toSessions(search)}
        {retryable > 0 && (
          <ButtonLink {...small} scope="sessions:write" to="/batches/new" search={{ ...search, action: 'retry' }}>
            {words.retry}
          </ButtonLink>
        )}
      </>
    ),
  };
}

/** Returns the stores that are nearly full. */
function findFull({ storage, limits }: ServiceInfo): Problem[] {
  const { audio_bytes, text_bytes, disk_bytes, disk_free_bytes } = storage;
  const diskUsed = disk_bytes === null || disk_free_bytes === null ? 0 : disk_bytes - disk_free_bytes;
  const stores: [keyof typeof words.stores, number, number | null][] = [
    ['disk', diskUsed, disk_bytes],
    ['recordings', audio_bytes, limits.stored_audio_bytes],
    ['conversations', text_bytes, limits.stored_text_bytes],
  ];
  return stores.flatMap(([name, used, size]) =>
    size === null || used < NEARLY_FULL * size
      ? []
      : [
          {
            key: name,
            text: words.full(words.stores[name], formatBytes(used), formatBytes(size), formatPercent(used / size)),
            actions: (
              <Link to="/sessions" search={{ type: name === 'conversations' ? undefined : 'voice' }}>
                {words.showSessions}
              </Link>
            ),
          },
        ],
  );
}
