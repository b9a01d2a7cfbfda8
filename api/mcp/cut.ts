/** Shortens responses for models: limits their size and omits details that only the console shows. */
import type { EndpointAnswer } from '../../contract/values/endpoint.ts';
import type { listAssistants } from '../../contract/assistants/assistants.ts';
import type { ResultsReport } from '../../contract/service/results.ts';
import type { listSessions, Session, Turn } from '../../contract/sessions/sessions.ts';
import type { SessionTranscript } from '../../contract/sessions/transcripts.ts';
import type { UsageReport } from '../../contract/service/usage.ts';

export const MAX_ASSISTANTS = 50;
export const MAX_TURNS = 200;
/** Of a result as JSON, which a response has twice: as text and as structured content. */
export const MAX_CHARACTERS = 20_000;
const MAX_SUMMARY_CHARACTERS = 500;

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Returns the longest page that fits, by reading fewer items. */
export async function fittingPage<T extends object>(limit: number, read: (limit: number) => Promise<T>): Promise<T> {
  let most = limit;
  for (;;) {
    const page = await read(most);
    const size = sizeOf(page);
    if (size <= MAX_CHARACTERS || most === 1) return page;
    most = Math.max(1, Math.min(most - 1, Math.floor((most * MAX_CHARACTERS) / size)));
  }
}

/** Returns a result that fits: if necessary with shorter texts and lists, which `shortened` says. */
export function fitting(result: Record<string, unknown>): Record<string, unknown> {
  let fitted = result;
  for (let most = 1_024; sizeOf(fitted) > MAX_CHARACTERS && most > 0; most = Math.floor(most / 2))
    fitted = { ...(shortenAll(result, most) as typeof result), shortened: true };
  return fitted;
}

function shortenAll(value: unknown, most: number): unknown {
  if (typeof value === 'string') return shorten(value, most);
  if (Array.isArray(value)) return value.slice(0, most).map((item) => shortenAll(item, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortenAll(member, most)]));
}

export const assistants = ({ data, next_cursor }: EndpointAnswer<typeof listAssistants>) => ({
  assistants: data.map(({ id, name, type, description, fields }) => ({
    assistant_id: id,
    name,
    type,
    description,
    fields,
  })),
  next_cursor,
});

export const sessions = ({ data, next_cursor }: EndpointAnswer<typeof listSessions>) => ({
  sessions: data.map(({ session_id, status, type, assistant, summary_text, error, ...item }) => ({
    session_id,
    status,
    type,
    assistant_id: assistant.id,
    assistant_name: assistant.name,
    summary_text: summary_text && shorten(summary_text, MAX_SUMMARY_CHARACTERS),
    fields: item.fields,
    unverified_fields: item.unverified_fields,
    metadata: item.metadata,
    created_at: item.created_at,
    occurred_at: item.occurred_at,
    total_cost: item.total_cost,
    error,
  })),
  next_cursor,
});

/** Half of a character that was cut. */
const HALF = /\p{Cs}$/u;

const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(HALF, '')} …`;

/** Returns the session without its conversation and settings. */
export function session({ conversation: _turns, transcript: _text, assistant, ...rest }: Session) {
  return { ...rest, assistant: { id: assistant.id, name: assistant.name } };
}

/** Returns the turns that fit, at least a part of one. */
export function turns(
  { session_id, language, duration_s, turns: all }: SessionTranscript,
  { from_turn, from_character, max_turns }: { from_turn: number; from_character: number; max_turns: number },
) {
  const part: (Turn & { turn: number })[] = [];
  let [next, character, room] = [from_turn, from_character, MAX_CHARACTERS - 1_000];
  for (const { text, ...turn } of all.slice(from_turn, from_turn + max_turns)) {
    const rest = text.slice(character);
    const size = sizeOf({ turn: next, text: rest, ...turn }) + 1;
    if (size > room && part.length > 0) break;
    let shown = rest;
    // JSON writes some characters as six.
    if (size > room) for (shown = rest.slice(0, room); sizeOf(shown) > room;) shown = shown.slice(0, shown.length / 2);
    shown = shown.replace(HALF, '');
    part.push({ turn: next, ...turn, text: shown });
    if (shown.length < rest.length) {
      character += shown.length;
      break;
    }
    [next, character, room] = [next + 1, 0, room - size];
  }
  const isLast = next >= all.length;
  return {
    ...{ session_id, language, duration_s, turns: part },
    ...{ next_turn: isLast ? null : next, next_character: isLast ? null : character },
  };
}

/** Returns the report without histograms and days. */
export const results = ({ fields, ...report }: ResultsReport) => ({
  ...report,
  fields: fields.map(({ by_day: _days, numbers, ...field }) => {
    const { histogram: _histogram, ...shown } = numbers ?? {};
    return { ...field, numbers: numbers && shown };
  }),
});

/** Returns the rows that fit. */
export function usage({ data, ...report }: UsageReport) {
  let room = MAX_CHARACTERS - sizeOf(report) - 100;
  const end = data.findIndex((row) => (room -= sizeOf(row) + 1) < 0);
  const rows = end === -1 ? data : data.slice(0, end);
  return { ...report, data: rows, omitted_rows: data.length - rows.length };
}
