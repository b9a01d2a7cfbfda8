/** Who speaks in a conversation, and how much. */
import type { Session, Turn } from '../../../../clients/typescript/src/index.ts';
import { speakerNames } from '../../../../contract/speaker-names.ts';

export interface Speaker {
  /** The name in the conversation. */
  role: string;
  /** What the speaker is called: by the role, once it is known. */
  name: string;
  /** Colours and lanes are given in the order of the first word. */
  index: number;
  share: number;
}

/** Shares are of time where every turn has times, else of what was written. */
export function listSpeakers(turns: readonly Turn[], roles: Session['roles']): Speaker[] {
  const isTimed = hasTimes(turns);
  const amounts = new Map<string, number>();
  for (const turn of turns) {
    const amount = isTimed ? (turn.end_s ?? 0) - (turn.start_s ?? 0) : turn.text.length;
    amounts.set(turn.role, (amounts.get(turn.role) ?? 0) + amount);
  }
  const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0) || 1;
  const names = speakerNames(roles?.map ?? {});
  return [...amounts].map(([role, amount], index) => ({
    ...{ role, index },
    name: names.get(role) ?? role,
    share: amount / total,
  }));
}

export const hasTimes = (turns: readonly Turn[]) =>
  turns.length > 0 && turns.every((turn) => turn.start_s !== undefined && turn.end_s !== undefined);

/** Returns one path for all turns of a role: ten hours are one element, not five thousand. */
export function drawLane(turns: readonly Turn[], role: string): string {
  return turns
    .filter((turn) => turn.role === role && turn.start_s !== undefined && turn.end_s !== undefined)
    .map(({ start_s = 0, end_s = 0 }) => `M${start_s} 0H${end_s}V1H${start_s}Z`)
    .join('');
}
