/** Analyzes a conversation for the stand-ins: counts words and quotes sentences, without a model. */
import { findCall } from '../demo-calls.ts';

export interface Analysis {
  summary_text: string;
  topics: string[];
  sentiment: string;
  action_items: string[];
  findings: { name: string; value: string }[];
}

export interface SpokenTurn {
  /** The turn's number in the message. */
  number: number;
  role: string;
  text: string;
}

/**
 * Returns an analysis with counts and quoted sentences.
 * @param message a conversation between two identical fence lines, with `role: text` on each line.
 */
export function analyze(message: string): Analysis {
  const turns = readTurns(message);
  const roles = [...new Set(turns.map((turn) => turn.role))];
  return {
    summary_text: findCall(turns)?.summary ?? summarize(turns),
    topics: frequentWords(turns),
    sentiment: 'neutral',
    action_items: sentencesOf(turns)
      .filter(({ text }) => /\b(I'll|I will|we'll|we will|please)\b/i.test(text))
      .slice(0, 5)
      .map(({ text }) => cut(text)),
    findings: [
      { name: 'turns', value: String(turns.length) },
      ...roles.map((role) => ({ name: `words by ${role}`, value: String(wordsBy(role, turns)) })),
    ],
  };
}

/** Returns what the second person says first, and what somebody promises. */
function summarize(turns: SpokenTurn[]): string {
  const [opener] = turns;
  const caller = turns.find(({ role }) => role !== opener?.role) ?? opener;
  const promise = sentencesOf(turns).findLast(({ text }) => /\bI(?:'ll| will)\b/.test(text));
  return [
    caller ? `${nameOf(caller)} says: “${cut(caller.text)}”` : 'Nobody says anything.',
    promise ? `${nameOf(promise)} promises: “${cut(promise.text)}”` : '',
  ]
    .join(' ')
    .trim();
}

/** Returns "The client" or "Speaker 2". */
const nameOf = ({ role }: Pick<SpokenTurn, 'role'>) => (/\d/.test(role) ? role.replace(/^s/, 'S') : `The ${role}`);

const sentencesOf = (turns: SpokenTurn[]) =>
  turns.flatMap(({ role, text }) => (text.match(/[^.!?]+[.!?]*/g) ?? []).map((each) => ({ role, text: each.trim() })));

/** Returns the turns between the fence lines of a message. A turn can start with its number and time. */
export function readTurns(message: string): SpokenTurn[] {
  const lines = message.split('\n');
  const fence = lines.findIndex((line) => line.startsWith('==='));
  const fenced = fence < 0 ? lines : lines.slice(fence + 1, lines.lastIndexOf(lines[fence] as string));
  return fenced.flatMap((line, index) => {
    const [, number = index, role, text] = /^(?:#(\d+) )?(?:\[[\d:]+\] )?([^:]{1,64}): (.*)$/.exec(line) ?? [];
    if (role === undefined || text === undefined) return [];
    return [{ number: Number(number), role, text }];
  });
}

const cut = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}[\p{L}'-]+/gu) ?? [];

const wordsBy = (role: string, turns: SpokenTurn[]) =>
  turns.filter((turn) => turn.role === role).reduce((sum, turn) => sum + wordsOf(turn.text).length, 0);

function frequentWords(turns: SpokenTurn[]): string[] {
  const counts = new Map<string, number>();
  for (const word of turns.flatMap((turn) => wordsOf(turn.text))) {
    if (word.length > 4 && !COMMON.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]);
  return frequent.slice(0, 5).map(([word]) => word);
}

const COMMON = new Set(
  'about after again before could every first going great hello morning other please right since still thank thanks their there these thing think those today until where which while would yours'.split(
    ' ',
  ),
);
