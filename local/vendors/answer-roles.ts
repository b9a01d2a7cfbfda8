/** How the stand-in models tell who is who: no model, only words that operators use. */
import type { SpokenTurn } from './analyze.ts';
import { invent } from './lies.ts';
import type { Lies } from './lies.ts';

const OF_OPERATORS = /\b(this is|how can i help|customer care|could you give me|i will have)\b/i;

/** Returns the part of an answer that tells the roles. The first speaker who talks like an operator is the only one. */
export function answerRoles(turns: readonly SpokenTurn[], lies: Lies) {
  const operator = turns.find(({ text }) => OF_OPERATORS.test(text))?.role;
  const speakers = [...new Set(turns.map(({ role }) => role))];
  return speakers.flatMap((speaker) => {
    const own = turns.filter(({ role }) => role === speaker);
    const told = own.find(({ text }) => speaker === operator && OF_OPERATORS.test(text)) ?? own[0];
    if (!told) return [];
    return {
      ...{ speaker, turn: told.number + lies.turnOffset },
      quote: lies.inventsQuotes ? invent(speaker) : told.text,
      role: speaker === operator ? 'operator' : 'client',
    };
  });
}
