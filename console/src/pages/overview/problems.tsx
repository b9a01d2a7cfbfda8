/** Whether all is well, in one line, and what needs attention: each problem with its cause, number, time and action. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleCheck, HelpCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Attention, ServiceInfo, SessionFailures, StatsReport } from 'conversation-analysis-client';
import { getAttentionOptions, getInfoOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { ATTENTION_LIMITS } from '../../../../contract/values/limits.ts';
import { wordBudget } from '../../budget/budget-panel.tsx';
import { SetBudgetButton } from '../../budget/set-budget-button.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Countdown } from '../../components/values.tsx';
import { formatBytes, formatPercent } from '../../format/numbers.ts';
import { providerName } from '../../format/providers.ts';
import { formatShortTime } from '../../format/times.ts';
import { RedeliverLink } from '../../lists/redeliver-link.tsx';
import type { SessionsSearch } from '../../lists/search.ts';
import type { OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import styles from './overview.module.css';

const words = texts.overview;
const STORES = { recordings: texts.system.recordings, conversations: texts.system.conversations, disk: words.disk };
const small = { size: 'small' } as const;

/** Links to the sessions of a problem. */
const toSessions = (search: SessionsSearch) => (
  <ButtonLink {...small} to="/sessions" search={search}>
    {texts.common.showSessions}
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
  /** Only problems are said. */
  isNew: boolean;
}

/** The line of state, the problems, and the failures that are over. */
export function State({ report, isUnknown, range, isNew }: StateProps) {
  const refetchInterval = 15_000;
  const info = useQuery({ ...getInfoOptions(), refetchInterval });
  const attention = useQuery({
    ...getAttentionOptions({ query: { from: report.from } }),
    refetchInterval,
    placeholderData: keepPreviousData,
  });
  const assistants = useQuery(listAssistantsOptions());
  const timeOf = (at: string | null) => (at === null ? '' : formatShortTime(at));
  if (isUnknown || info.isError || attention.isError) return <Line look="unknown" text={words.state.unknown} />;
  if (!info.data || !attention.data) return <Line look="unknown" text={texts.common.loading} />;
  const used = new Set<string | null | undefined>(
    assistants.data?.data.flatMap(({ llm_provider, stt_provider, fallback }) => [
      llm_provider,
      stt_provider,
      fallback?.llm_provider,
      fallback?.stt_provider,
    ]),
  );
  const problems: Problem[] = [
    ...findServiceProblems(info.data, timeOf, (provider) => !assistants.data || used.has(provider)),
    ...attention.data.data
      // Without a worker, everything is queued.
      .filter(({ code }) => code !== 'sessions_queued' || info.data.workers.running > 0)
      .map((each) => toProblem(each, { report, range, timeOf })),
    ...findFullDisk(info.data),
  ].filter(({ key }, index, all) => all.findLastIndex((other) => other.key === key) === index);
  if (isNew && problems.length === 0) return null;
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
    </div>
  );
}

const LOOKS = {
  good: [CircleCheck, 'ink-muted'],
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

type TimeOf = (at: string | null) => string;

/** The workers, and the providers whose calls are paused. */
function findServiceProblems(
  { workers, open_circuits }: ServiceInfo,
  timeOf: TimeOf,
  isUsed: (provider: string) => boolean,
): Problem[] {
  const paused = open_circuits
    .filter(({ provider }) => isUsed(provider))
    .map(({ provider, reason, since }) => ({
      key: provider,
      text: `${words.down(providerName(provider) ?? provider, texts.failures[reason], timeOf(since))} ${words.paused}`,
    }));
  if (workers.running > 0) return paused;
  const actions = (
    <ButtonLink {...small} to="/settings/system">
      {texts.shell.system}
    </ButtonLink>
  );
  return [
    { key: 'workers', text: texts.shell.noWorker(workers.last_seen_at && timeOf(workers.last_seen_at)), actions },
    ...paused,
  ];
}

interface Shown {
  report: StatsReport;
  range: OverviewRange;
  timeOf: TimeOf;
}

function toProblem(attention: Attention, { report, range, timeOf }: Shown): Problem {
  const { code, figures } = attention;
  const subject = attention.subject ?? '';
  const since = timeOf(attention.since);
  const cause = (reason: string) => texts.failures[reason as keyof typeof texts.failures];
  const nextTry = attention.next_try_at && (
    <>
      {' '}
      {words.nextTry} <Countdown to={attention.next_try_at} />
    </>
  );
  const of = (name: string) => figures[name] ?? 0;
  switch (code) {
    case 'provider_unavailable':
      return {
        key: subject,
        text: (
          <>
            {words.down(providerName(subject) ?? subject, cause(attention.reason ?? ''), since)}{' '}
            {words.waits(of('sessions'))}
            {nextTry}
          </>
        ),
        actions: toSessions({ waiting_for: subject, reanalysis: 'any' }),
      };
    case 'sessions_queued':
      return {
        key: code,
        text: words.queued(of('sessions'), since),
        actions: toSessions({ status: 'queued', reanalysis: 'any' }),
      };
    case 'deliveries_failing': {
      const [failed, retrying] = [of('failed'), of('retrying')];
      const status = figures['status_code'];
      const receiver = report.receivers.find(({ host }) => host === subject);
      // The list of deliveries has no filter by host. An assistant usually has one receiver.
      const [assistant_id, second] = attention.assistant_ids;
      const search = { range, ...(second === undefined && { assistant_id }) };
      return {
        key: `to ${subject}`,
        text: (
          <>
            {receiver?.accepted_since
              ? words.acceptsAgain(subject, timeOf(receiver.failed_until), timeOf(receiver.accepted_since))
              : words.receiver(
                  subject,
                  cause(attention.reason ?? '') + (status ? ` (HTTP ${status})` : ''),
                  since,
                )}{' '}
            {failed > 0 && words.undelivered(failed)} {retrying > 0 && words.retrying(retrying)}
            {nextTry}
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
    case 'sessions_failed': {
      const search = { status: 'failed', error_code: subject as SessionFailures['code'], range } as const;
      const sentence = [cause(subject), ...attention.providers.map(providerName)].join(' · ');
      return {
        key: subject,
        text: words.failures(of('sessions'), sentence, since),
        actions: (
          <>
            {toSessions(search)}
            {of('retryable') > 0 && (
              <ButtonLink {...small} scope="sessions:write" to="/batches/new" search={{ ...search, action: 'retry' }}>
                {words.retry}
              </ButtonLink>
            )}
          </>
        ),
      };
    }
    case 'storage_nearly_full':
      return full(subject as keyof typeof STORES, of('used_bytes'), of('limit_bytes'));
    case 'budget_nearly_spent':
      return {
        key: code,
        text: wordBudget(of('spent_usd'), of('budget_usd')),
        actions: <SetBudgetButton label={texts.usage.raiseBudget} />,
      };
  }
}

const full = (name: keyof typeof STORES, used: number, size: number): Problem => ({
  key: name,
  text: words.full(STORES[name], formatBytes(used), formatBytes(size), formatPercent(used / size)),
  actions: toSessions(name === 'conversations' ? {} : { type: 'voice' }),
});

/** The disk belongs to the installation. */
function findFullDisk({ storage: { disk_bytes, disk_free_bytes } }: ServiceInfo): Problem[] {
  if (disk_bytes === null || disk_free_bytes === null) return [];
  const used = disk_bytes - disk_free_bytes;
  return used < ATTENTION_LIMITS.storageShare * disk_bytes ? [] : [full('disk', used, disk_bytes)];
}
