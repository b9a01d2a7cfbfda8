import {
  AudioLines,
  Ban,
  CircleCheck,
  CircleX,
  Clock,
  HelpCircle,
  Hourglass,
  LoaderCircle,
  OctagonX,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import {
  WEBHOOK_MAX_ATTEMPTS,
  type BatchStatus,
  type CallStatus,
  type DeliveryStatus,
  type SessionStatus,
} from '../../../contract/values/constants.ts';
import { texts } from '../texts/index.ts';
import styles from './status.module.css';

type Tone = 'good' | 'bad' | 'warn' | 'info' | 'calm';
type StatusName =
  | BatchStatus
  | SessionStatus
  | DeliveryStatus
  | CallStatus
  | 'completed_with_failures'
  | 'deleted'
  | 'undelivered'
  | 'paused'
  | 'waiting'
  | 'waited';

/** Each status has an icon and a word, in addition to its color. What is well has no color. */
const LOOKS: Record<StatusName, { icon: LucideIcon; tone: Tone; isTurning?: boolean }> = {
  fetching: { icon: LoaderCircle, tone: 'info', isTurning: true },
  queued: { icon: Clock, tone: 'calm' },
  transcribing: { icon: AudioLines, tone: 'info' },
  analyzing: { icon: LoaderCircle, tone: 'info', isTurning: true },
  completed: { icon: CircleCheck, tone: 'good' },
  // A completed batch, some sessions of which failed.
  completed_with_failures: { icon: CircleX, tone: 'bad' },
  failed: { icon: CircleX, tone: 'bad' },
  canceled: { icon: Ban, tone: 'calm' },
  // Only events have this status: it reports that a session was deleted.
  deleted: { icon: Trash2, tone: 'calm' },
  pending: { icon: Hourglass, tone: 'warn' },
  delivered: { icon: CircleCheck, tone: 'good' },
  undelivered: { icon: CircleX, tone: 'bad' },
  stopped: { icon: OctagonX, tone: 'calm' },
  running: { icon: LoaderCircle, tone: 'info', isTurning: true },
  paused: { icon: Hourglass, tone: 'warn' },
  canceling: { icon: LoaderCircle, tone: 'calm', isTurning: true },
  succeeded: { icon: CircleCheck, tone: 'good' },
  lost: { icon: HelpCircle, tone: 'warn' },
  waiting: { icon: Hourglass, tone: 'warn' },
  waited: { icon: Hourglass, tone: 'calm' },
};

/** The icon alone, for lists whose lines say the rest. What is well is gray. */
export function StatusIcon({ name }: { name: StatusName }) {
  const { icon: Icon, tone, isTurning } = LOOKS[name];
  return (
    <span
      className={isTurning ? styles['turning'] : undefined}
      style={{ color: `var(--${tone === 'good' ? 'calm' : tone})` }}
    >
      <Icon size={13} role="img" aria-label={texts.status[name]} />
    </span>
  );
}

interface StatusProps {
  name: StatusName;
  /** Number of attempts made. A pending delivery with attempts is not delivered; its title says how often it was tried. */
  attempts?: number;
  /** The name of the provider for which an unfinished session waits. */
  waitsFor?: string | null | undefined;
}

export function Status({ name, attempts = 0, waitsFor }: StatusProps) {
  const { icon: Icon, tone, isTurning } = LOOKS[waitsFor == null ? name : 'waiting'];
  const isRetried = name === 'pending' && attempts > 0;
  const word = texts.status[isRetried ? 'undelivered' : name];
  return (
    <span
      className={`${styles['status']} ${isTurning ? styles['turning'] : ''}`}
      title={isRetried ? texts.status.retrying(attempts, WEBHOOK_MAX_ATTEMPTS) : undefined}
      style={tone === 'good' ? { paddingInline: 0 } : { background: `var(--${tone}-soft)`, color: `var(--${tone})` }}
    >
      <Icon size={13} aria-hidden />
      {waitsFor == null ? word : texts.status.waitingFor(waitsFor)}
    </span>
  );
}
