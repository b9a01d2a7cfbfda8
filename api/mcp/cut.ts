/** Shortens responses for models: limits their size and omits details that only the console shows. */
import type { EndpointAnswer } from '../../contract/values/endpoint.ts';
import type { listAssistants } from '../../contract/assistants/assistants.ts';
import type { ResultsReport } from '../../contract/service/results.ts';
import type { listSessions, Session } from '../../contract/sessions/sessions.ts';
import type { SessionTranscript } from '../../contract/sessions/transcripts.ts';
import type { UsageReport } from '../../contract/service/usage.ts';

export const MAX_ASSISTANTS = 50;
export const MAX_TURNS = 200;
export const MAX_CHARACTERS = 40_000;
export const MAX_USAGE_ROWS = 200;
const MAX_SUMMARY_CHARACTERS = 500;

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
    summary_text: summary_text && shorten(summary_text),
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

function shorten(summary: string): string {
  if (summary.length <= MAX_SUMMARY_CHARACTERS) return summary;
  return `${summary.slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed()} …`;
}

/** Returns the session without its conversation and settings. */
export function session({ conversation: _turns, transcript: _text, assistant, ...rest }: Session) {
  return { ...rest, assistant: { id: assistant.id, name: assistant.name } };
}

/** Returns at least one turn, if there is one at `from_turn`. */
export function turns(
  { session_id, language, duration_s, turns: all }: SessionTranscript,
  { from_turn, max_turns }: { from_turn: number; max_turns: number },
) {
  let characters = 0;
  const part = all
    .slice(from_turn, from_turn + max_turns)
    .filter(({ text }, index) => (characters += text.length) <= MAX_CHARACTERS || index === 0)
    .map((turn, index) => ({ turn: from_turn + index, ...turn }));
  const next = from_turn + part.length;
  return { session_id, language, duration_s, turns: part, next_turn: next < all.length ? next : null };
}

/** Returns the report without histograms and days. */
export const results = ({ fields, ...report }: ResultsReport) => ({
  ...report,
  fields: fields.map(({ by_day: _days, numbers, ...field }) => {
    const { histogram: _histogram, ...shown } = numbers ?? {};
    return { ...field, numbers: numbers && shown };
  }),
});

export const usage = ({ data, ...report }: UsageReport) => ({
  ...report,
  data: data.slice(0, MAX_USAGE_ROWS),
  omitted_rows: Math.max(0, data.length - MAX_USAGE_ROWS),
});
