/** The transcript of every recording. */
import dialogue from './dialogue.json' with { type: 'json' };
import type { Directive } from './directives.ts';

export const TURNS = dialogue.turns;

export type SpokenTurn = (typeof TURNS)[number];

export const textOf = (turns: readonly SpokenTurn[]) => turns.map((turn) => turn.text).join(' ');

export const TEXT = textOf(TURNS);

export const durationOf = ({ duration_s = dialogue.duration_s }: Directive) => duration_s;
