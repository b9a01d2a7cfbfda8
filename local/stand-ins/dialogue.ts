/** The transcript of every recording. */
import dialogue from './dialogue.json' with { type: 'json' };
import type { Directive } from './directives.ts';

export const TURNS = dialogue.turns;

export type SpokenTurn = (typeof TURNS)[number];

export const joinSpoken = (turns: readonly SpokenTurn[]) => turns.map((turn) => turn.text).join(' ');

export const TEXT = joinSpoken(TURNS);

export const durationOf = ({ duration_s = dialogue.duration_s }: Directive) => duration_s;
