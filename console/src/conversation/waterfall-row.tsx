import { AudioLines, Brain, Clock, Hourglass, Send, type LucideIcon } from 'lucide-react';
import type { TimelineEntry } from 'conversation-analysis-client';
import { Money } from '../components/values.tsx';
import { DeliveryControls } from '../deliveries/delivery-controls.tsx';
import { formatCountdown, formatDuration } from '../format/durations.ts';
import { modelName } from '../format/providers.ts';
import { wordFailure } from '../server/reasons.ts';
import { texts } from '../texts/index.ts';
import type { Bar, Layout } from './waterfall-layout.ts';
import styles from './waterfall.module.css';

const words = texts.session.waterfall;
export const STEPS = { ...texts.steps, fetch: words.fetch, delivery: texts.assistants.webhook };

const ICONS: Record<TimelineEntry['step'], LucideIcon> = {
  queue: Clock,
  transcription: AudioLines,
  analysis: Brain,
  delivery: Send,
};

/** One call or wait: name, bar, time and cost. */
export function Row({ bar, layout, now }: { bar: Bar; layout: Layout; now: number }) {
  const { entry, fromMs, toMs, isOpen } = bar;
  const isWait = entry.kind === 'wait';
  const Icon = isWait ? Hourglass : ICONS[entry.step];
  const start = layout.percentOf(fromMs);
  const end = layout.percentOf(toMs);
  const by = modelName(entry.provider, entry.model);
  const name = nameOf(entry);
  const ms = entry.duration_ms ?? (isOpen ? now - fromMs : null);
  const duration = ms === null ? '' : formatDuration(ms);
  const reason = entry.error && reasonOf(entry.error, entry.step);
  const place = besideBar(start, end);
  return (
    <li
      className={`${styles['row']} ${isWait ? styles['isWait'] : ''}`}
      {...(entry.status === 'failed' && { 'data-failed': '', tabIndex: -1 })}
    >
      <div className={styles['label']}>
        <Icon size={14} aria-hidden />
        <span className={`cut ${styles['name']}`} title={name}>
          {name}
        </span>
        {by && (
          <span className={`cut ${styles['by']}`} title={by}>
            {by}
          </span>
        )}
        <span className="visually-hidden">{texts.status[entry.status]}</span>
      </div>
      <div className={styles['track']}>
        {layout.ticks.map(({ percent }) => (
          <span key={percent} className={styles['line']} style={{ left: `${percent}%` }} />
        ))}
        <span
          className={`${styles['bar']} ${styles[LOOKS[entry.status]]}`}
          data-shape
          style={{ left: `min(${start}%, calc(100% - 4px))`, width: `${end - start}%` }}
          title={`${name}: ${texts.status[entry.status]}, ${duration}`}
        />
        {reason && place && (
          <span className={`${styles['beside']} cut`} style={place} title={reason}>
            {reason}
          </span>
        )}
        {isOpen && isWait && (
          <div className={styles['onBar']} style={{ right: `${100 - end}%` }}>
            <span>{printRemaining(entry, now)}</span>
            {entry.delivery_id !== null && <DeliveryControls deliveryId={entry.delivery_id} size="small" />}
          </div>
        )}
      </div>
      <span className={styles['figure']}>{duration}</span>
      <span className={styles['figure']}>
        {!isWait && entry.step !== 'delivery' && !isOpen && <Money usd={entry.cost_usd} />}
      </span>
      {reason && !place && <p className={styles['why']}>{reason}</p>}
    </li>
  );
}

/** The least room beside a bar in which text fits. */
const MIN_ROOM_PERCENT = 40;

/** Returns the position of a text after the bar, or before it; undefined if the bar leaves no room. */
function besideBar(start: number, end: number) {
  if (100 - end >= MIN_ROOM_PERCENT) return { left: `calc(${end}% + 0.75rem)`, right: 0 };
  return start >= MIN_ROOM_PERCENT
    ? { left: 0, right: `calc(${100 - start}% + 0.5rem)`, textAlign: 'end' as const }
    : undefined;
}

export function nameOf({ kind, step, attempt, alert }: TimelineEntry): string {
  const name = alert ?? STEPS[step];
  if (kind === 'wait')
    return step === 'queue' ? texts.status.queued : words.waitBefore(alert ?? name.toLowerCase(), attempt);
  // The end of a long name is cut.
  if (alert !== null) return `${texts.attempts.attempt(attempt)}: ${alert}`;
  return attempt > 1 || step === 'delivery' ? words.attempt(name, attempt) : name;
}

function printRemaining({ due_at }: TimelineEntry, now: number): string {
  if (due_at === null) return texts.status.waiting;
  const leftMs = Date.parse(due_at) - now;
  return leftMs > 0 ? words.nextIn(formatCountdown(leftMs)) : words.due;
}

function reasonOf(error: NonNullable<TimelineEntry['error']>, step: TimelineEntry['step']): string {
  // The message of a call already contains the HTTP status. The message of a delivery only repeats code and status.
  if (step !== 'delivery') {
    const { code = null, type = null, param = null } = error.provider_error ?? {};
    // What the provider called the error, in no language.
    const names = [code, type, param].filter((name) => name !== null);
    const said = error.provider_message ? ` “${error.provider_message}”` : '';
    return wordFailure(error) + (names.length === 0 ? '' : ` [${names.join(', ')}]`) + said;
  }
  return texts.failures[error.code] + (error.http_status === null ? '' : ` (HTTP ${error.http_status})`);
}

const LOOKS = { succeeded: 'good', failed: 'bad', lost: 'warn', running: 'info', waiting: 'waiting', waited: 'wait' };
