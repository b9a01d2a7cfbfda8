/** Calls of a service line for the demo, each with what is true about it. */
import type { TurnInput } from 'conversation-analysis-client';

export interface DemoCall {
  conversation: TurnInput[];
  operator: string;
  summary: string;
  /** The right value of each field; null: not said. */
  truth: { resolved: boolean; reason: string; score: number | null; call_back: boolean };
}

interface Case {
  reason: string;
  /** Why the client calls, in the words of a summary. */
  about: string;
  /** The client's problem, the operator's finding, the client's reply, and how the problem is solved or stays open. */
  said: readonly [problem: string, finding: string, reply: string, solution: string, obstacle: string];
}

const CASES: readonly Case[] = [
  {
    reason: 'connection',
    about: "The client's connection drops every evening between seven and nine",
    said: [
      'My connection drops every evening between seven and nine.',
      'I see many errors on your line at that time. Did you restart the router?',
      'Three times, and I changed the cable, too.',
      'I moved you to another port, and there are no errors now.',
      'The fault is in the cabinet on your street, so a technician has to look at it.',
    ],
  },
  {
    reason: 'billing',
    about: 'The client was charged 25 dollars twice this month',
    said: [
      'I have a billing question: you took 25 dollars twice this month.',
      'I see both payments, on the third and on the fifth.',
      'Exactly, and I only have one plan.',
      'I returned the second payment. You will have it in three days.',
      'Only our accountants can return a payment. I sent them your case.',
    ],
  },
  {
    reason: 'delivery',
    about: "The client's router did not come on Tuesday",
    said: [
      "I'm waiting for the delivery of a router. It was to come on Tuesday.",
      'The parcel is at the depot in Oak Street.',
      'Nobody told me that.',
      'I booked it for tomorrow between nine and twelve, and sent you the number of the driver.',
      "The depot doesn't answer, so I can't say when the parcel leaves.",
    ],
  },
  {
    reason: 'contract',
    about: 'The client moves abroad and wants to end the contract',
    said: [
      'I want to end my contract, because I am moving abroad.',
      'It ends in August. Do you have a paper that shows the move?',
      'Yes, from my employer. I sent it last week.',
      'I found it. Then it ends this month, without a fee.',
      'A supervisor has to agree to that, and nobody is here today.',
    ],
  },
];

// cspell:ignore Kamola Karimov Nodira Yusupova Petrova
const OPERATORS = ['Dilnoza', 'Marcus', 'Kamola', 'Anna', 'Peter'];
const CLIENTS = ['Aziz Karimov', 'Maria Lopez', 'John Miller', 'Nodira Yusupova', 'Tom Baker', 'Elena Petrova'];
const GREETINGS = ['Good morning', 'Good afternoon', 'Hello'];
const PITIES = ["I'm sorry to hear that.", 'I understand, that is annoying.', 'Let me look into it with you.'];

/** Returns the item with this number. Numbers start again after the last item. */
const pick = <T>(items: readonly T[], number: number) => items[number % items.length] as T;

/** Number of calls of the demo. More than are reviewed, so some are left to review by hand. */
export const CALLS = 80;

let known: Map<string, DemoCall> | undefined;

const joinTurns = (turns: readonly Pick<TurnInput, 'text'>[]) => turns.map(({ text }) => text).join('\n');

/** Returns the call of the demo with these turns, whose right values people must not read in it; undefined for others. */
export function findCall(turns: readonly Pick<TurnInput, 'text'>[]): DemoCall | undefined {
  known ??= new Map(makeCalls(CALLS).map((call) => [joinTurns(call.conversation), call]));
  return known.get(joinTurns(turns));
}

export const PROMPT = 'Summarize the call in two sentences.';
export const NEW_PROMPT = `${PROMPT} A problem is solved only if the client says so.`;

/** The rates at which a stand-in gives wrong values in the demo's calls, which people must not read in the prompt. */
const RATES = { reason: 0.1, score: 0.1, call_back: 0.1, hard: 0.3 };

/** @param system the system prompt, which contains the one of the assistant. */
export const findRates = (system: string): Record<string, number> =>
  system.includes(NEW_PROMPT)
    ? { ...RATES, resolved: 0.03 }
    : system.includes(PROMPT)
      ? { ...RATES, resolved: 0.4 }
      : {};

/** Returns this many different calls, always the same. */
export function makeCalls(count: number): DemoCall[] {
  return Array.from({ length: count }, (_, index) => makeCall(pick(CASES, index), index));
}

function makeCall(
  { reason, about, said: [problem, finding, reply, solution, obstacle] }: Case,
  index: number,
): DemoCall {
  const round = Math.floor(index / CASES.length);
  const resolved = (index + round) % 3 !== 0;
  const call_back = !resolved && (index + round) % 2 === 0;
  const score = index % 5 === 4 ? null : resolved ? 7 + (index % 3) : 2 + (index % 4);
  const client = pick(CLIENTS, index);
  const number = 44_700 + 37 * index;
  const truth = { resolved, reason, score, call_back };
  const operator = pick(OPERATORS, index);
  const end = resolved
    ? `${operator} solves it in the call.`
    : `It stays open${call_back ? `, and ${operator} promises to call back tomorrow before noon` : ''}.`;
  const turns = [
    `operator: ${pick(GREETINGS, index)}, Northline Internet, this is ${operator}. How can I help you?`,
    `client: ${problem}`,
    `operator: ${pick(PITIES, index + round)} May I have your customer number?`,
    `client: ${number}, ${client}.`,
    `operator: Thank you. ${finding}`,
    `client: ${reply}`,
    ...(resolved ? solvedTurns(solution) : openTurns(obstacle, call_back)),
    ...scoreTurns(score),
    'operator: Thank you for calling Northline Internet. Goodbye.',
  ];
  return { truth, operator, summary: `${about}. ${end}`, conversation: turns.map(readTurn) };
}

const solvedTurns = (solution: string) => [
  `operator: ${solution} Is the problem solved?`,
  'client: Yes, thank you, my problem is solved.',
];

const openTurns = (obstacle: string, callsBack: boolean) => [
  `operator: ${obstacle} ${callsBack ? 'I promise to call you back tomorrow before noon.' : 'Please try again next week.'}`,
  'client: So my problem is not solved. That is a pity.',
];

const scoreTurns = (score: number | null) => [
  'operator: Which score from 0 to 10 do you give us?',
  score === null ? 'client: Sorry, I have to go.' : `client: A score of ${score}.`,
];

function readTurn(line: string): TurnInput {
  const [role = '', ...text] = line.split(': ');
  return { role, text: text.join(': ') };
}
