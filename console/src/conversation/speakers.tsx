/** The speakers of a conversation: names, colors and talk time. */
import type { Session, Turn } from 'conversation-analysis-client';
import { speakerNames } from '../../../contract/sessions/turns.ts';
import { formatPercent } from '../format/numbers.ts';
import { wordRole } from '../format/roles.ts';
import { texts } from '../texts/index.ts';
import styles from './speakers.module.css';

export interface Speaker {
  /** The name in the conversation. */
  role: string;
  /** The shown name: the assigned role, if known. */
  name: string;
  /** Class name with the speaker's colors. */
  voice: string;
  /** Share of the talk time, or of the text if turns have no times. */
  share: number;
}

const VOICES = 4;

/** Returns the shown name of each speaker whose role is known. */
export const namesOf = (roles: Session['roles']) => speakerNames(roles?.map ?? {});

/** Returns the speakers in the order of their first turns. */
export function listSpeakers(turns: readonly Turn[], roles: Session['roles']): Speaker[] {
  const isTimed = hasTimes(turns);
  const amounts = new Map<string, number>();
  for (const turn of turns) {
    const amount = isTimed ? (turn.end_s ?? 0) - (turn.start_s ?? 0) : turn.text.length;
    amounts.set(turn.role, (amounts.get(turn.role) ?? 0) + amount);
  }
  const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0) || 1;
  const names = namesOf(roles);
  return [...amounts].map(([role, amount], index) => ({
    role,
    name: wordRole(names.get(role) ?? role),
    voice: styles[`voice${index % VOICES}`] ?? '',
    share: amount / total,
  }));
}

export const hasTimes = (turns: readonly Turn[]) =>
  turns.length > 0 && turns.every((turn) => turn.start_s !== undefined && turn.end_s !== undefined);

export const Dot = () => <span className={styles['dot']} data-shape aria-hidden />;

export const TalkShares = ({ speakers }: { speakers: readonly Speaker[] }) => (
  <ul className={styles['shares']} aria-label={texts.session.player.talkShare}>
    {speakers.map(({ role, name, voice, share }) => (
      <li key={role} className={voice}>
        <Dot />
        <bdi>{name}</bdi> {formatPercent(Math.round(share * 100) / 100)}
      </li>
    ))}
  </ul>
);
