import { useQuery } from '@tanstack/react-query';
import { AudioLines, Brain, ChevronDown, ChevronRight, Clock, Hourglass, Send } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { TimelineEntry } from '../../../../clients/typescript/src/index.ts';
import { getSessionTimelineOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Money } from '../../components/values.tsx';
import { useNow } from '../../format/clock.ts';
import { formatDuration } from '../../format/durations.ts';
import { formatPercent } from '../../format/numbers.ts';
import { usePollInterval } from '../../live/events.ts';
import { prefer, usePreferences } from '../../shell/preferences.ts';
import { texts } from '../../texts/index.ts';
import { foldAttempts } from './fold-attempts.ts';
import { useFailedKeys } from './use-failed-keys.ts';
import { layOut } from './waterfall-layout.ts';
import type { Bar, Layout } from './waterfall-layout.ts';
import { WaitActions } from './wait-actions.tsx';
import styles from './waterfall.module.css';

const words = texts.session.waterfall;

/** From here on the calls are slivers in a plain of waiting. */
const OFFERED_IDLE_SHARE = 0.6;

const ICONS: Record<TimelineEntry['step'], LucideIcon> = {
  queue: Clock,
  transcription: AudioLines,
  analysis: Brain,
  delivery: Send,
};

/** Everything that was done and waited for in a session, from the queue to the webhook, on one axis. */
export function Waterfall({ sessionId, isUnfinished }: { sessionId: string; isUnfinished: boolean }) {
  const interval = usePollInterval(true);
  const { data, error, refetch } = useQuery({
    ...getSessionTimelineOptions({ path: { id: sessionId } }),
    refetchInterval: ({ state }) => (isUnfinished || state.data?.data.some(isOpen) ? interval : false),
  });
  const { compressIdle } = usePreferences();
  useFailedKeys();
  const entries = data?.data ?? [];
  const now = useNow(entries.some(isOpen));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Panel title={words.title}>
        <Skeleton />
      </Panel>
    );
  }
  if (entries.length === 0) return <Panel title={words.title}>{words.nothingYet}</Panel>;
  const layout = layOut(entries, now, compressIdle);
  return (
    <Panel title={words.title} actions={<Offer layout={layout} isCompressed={compressIdle} />} isFlush>
      <div className={styles['waterfall']}>
        <Axis layout={layout} />
        <Rows layout={layout} now={now} />
        <Legend />
      </div>
    </Panel>
  );
}

const isOpen = ({ ended_at }: TimelineEntry) => ended_at === null;
const keyOf = (entry: TimelineEntry) =>
  [entry.kind, entry.step, entry.attempt, entry.delivery_id, entry.started_at].join(' ');

function Offer({ layout, isCompressed }: { layout: Layout; isCompressed: boolean }) {
  if (!isCompressed && layout.idleShare < OFFERED_IDLE_SHARE) return null;
  return (
    <div className={styles['offer']}>
      {words.total(formatDuration(layout.totalMs), formatPercent(layout.idleShare))}
      <Button size="small" aria-pressed={isCompressed} onClick={() => prefer({ compressIdle: !isCompressed })}>
        {isCompressed ? words.showTrueScale : words.compress}
      </Button>
    </div>
  );
}

const Axis = ({ layout }: { layout: Layout }) => (
  <div className={styles['axis']} aria-hidden>
    <span />
    <div className={styles['ticks']}>
      {layout.ticks.map(({ percent, ms }) => (
        <span key={ms} style={percent > 88 ? { right: `${100 - percent}%` } : { left: `${percent}%` }}>
          {ms === 0 ? '0' : formatDuration(ms)}
        </span>
      ))}
    </div>
    <span className={styles['figure']}>{words.duration}</span>
    <span className={styles['figure']}>{words.cost}</span>
  </div>
);

/** Of very many attempts the first and the last, and what opens those between them. */
function Rows({ layout, now }: { layout: Layout; now: number }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const { first, middle, last, foldedCalls } = foldAttempts(layout.bars);
  const rowOf = (bar: Bar) => <Row key={keyOf(bar.entry)} bar={bar} layout={layout} now={now} />;
  const Chevron = isUnfolded ? ChevronDown : ChevronRight;
  return (
    <ol>
      {first.map(rowOf)}
      {foldedCalls > 0 && (
        <li className={styles['fold']}>
          <Button size="small" look="quiet" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            <Chevron size={14} aria-hidden />
            {words.moreAttempts(foldedCalls)}
          </Button>
        </li>
      )}
      {isUnfolded && middle.map(rowOf)}
      {last.map(rowOf)}
    </ol>
  );
}

function Row({ bar, layout, now }: { bar: Bar; layout: Layout; now: number }) {
  const { entry, fromMs, toMs } = bar;
  const Icon = entry.kind === 'wait' ? Hourglass : ICONS[entry.step];
  const start = layout.percentOf(fromMs);
  const end = layout.percentOf(toMs);
  const by = [entry.provider, entry.model].filter(Boolean).join(' · ');
  const name = nameOf(entry);
  const ms = entry.duration_ms ?? (bar.isOpen ? now - fromMs : null);
  return (
    <li
      className={`${styles['row']} ${entry.kind === 'wait' ? styles['isWait'] : ''}`}
      {...(entry.status === 'failed' && { 'data-failed': '', tabIndex: -1 })}
    >
      <div className={styles['label']}>
        <Icon size={14} aria-hidden />
        <span className={styles['name']} title={name}>
          {name}
        </span>
        {by && (
          <span className={styles['by']} title={by}>
            {by}
          </span>
        )}
        <span className="only-said">{texts.status[entry.status]}</span>
      </div>
      <div className={styles['track']}>
        {layout.ticks.map(({ percent }) => (
          <span key={percent} className={styles['line']} style={{ left: `${percent}%` }} />
        ))}
        {layout.gaps.map((gap) => (
          <span
            key={gap.startPercent}
            className={styles['gap']}
            style={{ left: `${gap.startPercent}%`, width: `${gap.endPercent - gap.startPercent}%` }}
            title={words.gap(formatDuration(gap.ms))}
          />
        ))}
        <span
          className={`${styles['bar']} ${lookOf(entry)}`}
          style={{ left: `min(${start}%, calc(100% - 4px))`, width: `${end - start}%` }}
          title={`${name}: ${texts.status[entry.status]}, ${ms === null ? '' : formatDuration(ms)}`}
        />
        {bar.isOpen && entry.kind === 'wait' && <WaitActions entry={entry} rightPercent={100 - end} now={now} />}
      </div>
      <span className={styles['figure']}>{ms === null ? '' : formatDuration(ms)}</span>
      <span className={styles['figure']}>
        {entry.kind === 'call' && entry.step !== 'delivery' && !bar.isOpen && <Money usd={entry.cost_usd} />}
      </span>
      {entry.error && <p className={styles['why']}>{reasonOf(entry)}</p>}
    </li>
  );
}

function nameOf({ kind, step, attempt }: TimelineEntry): string {
  if (kind === 'wait') return step === 'queue' ? words.queue : words.waitBefore(words.steps[step], attempt);
  return attempt > 1 || step === 'delivery' ? words.attempt(words.steps[step], attempt) : words.steps[step];
}

function reasonOf({ error, step }: TimelineEntry): string {
  if (!error) return '';
  const reason = texts.failures[error.code];
  const status = error.http_status === null ? '' : ` (HTTP ${error.http_status})`;
  // Of a delivery the message says no more than the code and the status do.
  return error.message === '' || step === 'delivery' ? `${reason}${status}` : `${reason}${status}: ${error.message}`;
}

function lookOf({ kind, status }: TimelineEntry): string {
  if (kind === 'wait') return `${styles['wait']} ${status === 'waiting' ? styles['waiting'] : ''}`;
  const looks = { succeeded: 'good', failed: 'bad', lost: 'warn', running: 'info', waiting: 'wait', waited: 'wait' };
  return styles[looks[status]] ?? '';
}

const Legend = () => (
  <ul className={styles['legend']} aria-label={words.legend}>
    {(['good', 'bad', 'info', 'warn', 'wait'] as const).map((look) => (
      <li key={look}>
        <span className={`${styles['bar']} ${styles['swatch']} ${styles[look]}`} aria-hidden />
        {words.looks[look]}
      </li>
    ))}
  </ul>
);
