// cspell:ignore adbin adnum attrdef adrelid attname attnum attrelid conrelid confrelid contype tgrelid tgname
import { SessionModel } from '../../db/models/session.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import { createAnswered, createOwner, createReview } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

/**
 * What bounds each text of a session. `counted`: it counts in the storage limit. Others: why it need not. A new column of these
 * tables, and a new table that names sessions, must be added here.
 */
const BOUNDS: Record<string, Record<string, string>> = {
  sessions: {
    conversation: 'counted',
    transcript: 'one per conversation, which counts',
    raw_response: "the model's longest answer",
    summary_text: "the model's longest answer",
    assistant: 'settings are limited',
    assistant_name: 'settings are limited',
    llm_model: 'settings are limited',
    metadata: 'limited by the request',
    audio: 'facts about a file',
    audio_source: 'facts about a download',
    language: 'a code',
    type: 'a name',
    status: 'a name',
    field_encoding: 'a name',
    on_provider_outage: 'a name',
    error: 'one failure',
    earlier_runs: 'times',
    waiting: 'one failure',
    answered_by: 'a row per step',
    roles: 'a name per speaker',
    person_roles: 'a name per speaker',
    redaction: 'numbers by kind',
    left_out: 'names of settings',
    skipped_follow_ups: 'the IDs of at most five assistants',
  },
  session_reviews: {
    answers: 'counted',
    marks: 'counted',
    turn_notes: 'counted',
    history: 'counted',
    summary_text: 'counted',
    note: 'counted',
    unsure: 'names of fields',
    corrected: 'names of fields',
    reviewed_by: 'an ID',
  },
  second_opinions: {
    first: 'counted',
    second: 'counted',
    agreement: 'counted',
    differing: 'names of fields',
    decided_by: 'an ID',
  },
  audio_sources: { sealed: 'a URL' },
  session_originals: { originals: 'parts of the conversation, which counts' },
  session_words: { words: 'words of the conversation, which counts' },
  shares: { parts: 'names of parts', created_by: 'an ID', token_hash: 'a hash' },
  session_fields: { value_text: 'the first characters of a value' },
  provider_calls: {
    provider_response: "the provider's longest answer",
    provider_message: '500 characters',
    step: 'a name',
    provider: 'a name',
    model: 'a name',
    status: 'a name',
    usage: 'numbers',
    error: 'one failure',
    provider_request_id: 'an ID',
    provider_job_id: 'an ID',
    tier: 'a name',
    settings: 'settings are limited',
  },
  deliveries: {
    payload: "the model's longest answer",
    event: 'a name',
    alert: 'a name',
    replayed_from: 'an ID',
    workflow_id: 'an ID',
    status: 'a name',
    stop_reason: 'a name',
  },
  idempotency_keys: { key: 'limited by the request', payload_hash: 'a hash' },
  batch_items: { outcome: 'a name' },
};

const IDS = /^(id|.*_id|created_by)$/;

describe('Stored texts', () => {
  useTestApi();

  const read = async <R>(sql: string): Promise<R[]> => (await SessionModel.knex().raw<{ rows: R[] }>(sql)).rows;

  it('of a session all count in the storage limit or are bounded by something else', async () => {
    const columns = await read<{ table_name: string; column_name: string }>(
      `select table_name::text, column_name::text from information_schema.columns
       where table_schema = 'public' and data_type in ('text', 'jsonb', 'json', 'ARRAY', 'tsvector', 'bytea')`,
    );
    const ofSessions = await read<{ table_name: string }>(
      `select distinct table_name::text from information_schema.columns
       where table_schema = 'public' and (column_name = 'session_id' or table_name = 'sessions')
       union select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid = 'sessions'::regclass`,
    );
    const tables = ofSessions.map(({ table_name }) => table_name);
    const undeclared = columns.filter(
      ({ table_name, column_name }) =>
        tables.includes(table_name) && !IDS.test(column_name) && !BOUNDS[table_name]?.[column_name],
    );
    expect(undeclared.map((each) => `${each.table_name}.${each.column_name}`)).to.deep.equal([]);
    const sizes = await read<{ table_name: string; size: string }>(
      `select adrelid::regclass::text as table_name, pg_get_expr(adbin, adrelid) as size from pg_attrdef
       join pg_attribute on attrelid = adrelid and attnum = adnum where attname = 'text_bytes'`,
    );
    const triggers = await read<{ table_name: string }>(
      "select tgrelid::regclass::text as table_name from pg_trigger where tgname = 'count_text'",
    );
    for (const [table, bounds] of Object.entries(BOUNDS))
      for (const [column, bound] of Object.entries(bounds)) {
        if (bound !== 'counted') continue;
        expect(sizes.find(({ table_name }) => table_name === table)?.size, table).to.match(
          new RegExp(`\\b${column}\\b`),
        );
        expect(triggers.map(({ table_name }) => table_name)).to.include(table);
      }
  });
});

describe('Large members', () => {
  const api = useTestApi();
  const LARGE = 100_000;
  const SESSIONS = 6;

  it('are read one session at a time by lists and exports', async () => {
    const field = { name: 'said', type: 'string_list' as const, description: 'What?', evidence: false };
    const { token, assistant } = await createOwner({ fields: [field] });
    const text = 'x'.repeat(LARGE);
    for (let count = 0; count < SESSIONS; count++) {
      const session = await createAnswered(assistant, { said: [text] }, { conversation: [{ role: 'client', text }] });
      await createReview(session, { answers: { said: [text] }, note: text, summary_text: text });
      await SessionReviewModel.query()
        .findById(session.id)
        .patch({ turn_notes: [{ turn: 0, text }] });
    }
    let largest = 0;
    const measure = (response: unknown) => {
      const rows = (response as { rows?: unknown } | null)?.rows ?? response;
      largest = Math.max(largest, JSON.stringify(rows).length);
    };
    SessionModel.knex().on('query-response', measure);
    const all = 'fields,review,conversation,raw_response';
    const of = `assistant_id=${assistant.id}`;
    for (const path of [
      '/sessions?limit=100',
      `/exports/sessions?format=csv&include=fields,review&${of}`,
      `/exports/sessions?format=jsonl&include=${all}`,
      '/exports/sessions?format=zip',
      `/assistants/${assistant.id}/accuracy`,
    ]) {
      largest = 0;
      const response = await fetch(`${api.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
      expect(response.status, path).to.equal(200);
      await response.arrayBuffer();
      // All members of one session have seven of these texts, and those of two have more than eight.
      expect(largest, path).to.be.lessThan(LARGE * 8);
    }
    SessionModel.knex().removeListener('query-response', measure);
  });
});
