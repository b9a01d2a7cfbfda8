/** Sessions as rows for spreadsheets. */
import { BYTE_ORDER_MARK, toCsvCell, toCsvLine } from '../../contract/csv-line.ts';
import type { CsvCell } from '../../contract/csv-line.ts';
import type { SessionListItem } from '../../contract/sessions.ts';

const COLUMNS: Record<string, (session: SessionListItem) => CsvCell> = {
  session_id: (session) => session.session_id,
  created_at: (session) => session.created_at,
  completed_at: (session) => session.completed_at,
  status: (session) => session.status,
  type: (session) => session.type,
  assistant_id: (session) => session.assistant_id,
  assistant_name: (session) => session.assistant.name,
  llm_model: (session) => session.assistant.llm_model,
  language: (session) => session.language,
  audio_duration_s: (session) => session.audio_duration_s,
  turn_count: (session) => session.turn_count,
  total_cost: (session) => session.total_cost,
  cost_known: (session) => session.cost_known,
  summary_text: (session) => session.summary_text,
  error_code: (session) => session.error?.code ?? null,
  error_message: (session) => session.error?.message ?? null,
  delivery_status: (session) => session.delivery?.status ?? null,
  source_session_id: (session) => session.source_session_id,
  simulated: (session) => session.simulated,
  metadata: (session) => JSON.stringify(session.metadata),
};

/**
 * Returns how sessions are shown as a file.
 * @param fields names of the fields that have a column.
 */
export function csvOf(fields: readonly string[]) {
  const names = [...Object.keys(COLUMNS), ...fields.map((name) => `fields.${name}`)];
  const row = (session: SessionListItem) => {
    const cells = Object.values(COLUMNS).map((read) => read(session));
    return toCsvLine([...cells, ...fields.map((name) => valueOf(session, name))]);
  };
  return { header: BYTE_ORDER_MARK + toCsvLine(names), row };
}

function valueOf({ fields }: SessionListItem, name: string): CsvCell {
  // A field may be called `constructor`, and the session may not have it.
  const value = fields && Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
  return toCsvCell(value);
}
