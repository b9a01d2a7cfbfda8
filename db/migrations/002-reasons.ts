/**
 * Stores the reason and the parameters of the failures of sessions and calls, which only their English contained. The sentences are
 * those of the release before this migration. Other failures stay without a reason.
 */
import type { Knex } from 'knex';

/** `{name}` is a parameter. A part in brackets may be absent. */
export const SENTENCES = [
  ['key_refused', '{name} refused the API key[ (HTTP {status})]: check {setting}[ or {other}]'],
  ['not_configured', '{name} is not configured: set {setting}'],
  ['request_refused', '{name} refused the request as invalid[ (HTTP {status})]'],
  [
    'content_declined',
    '{name} declined to process this content[ (HTTP {status})]: change the instructions or choose another model',
  ],
  ['model_not_offered', '{name} does not offer this model[ (HTTP {status})]: choose another one for the assistant'],
  ['too_many_calls', '{name} received too many calls[ (HTTP {status})]'],
  ['recognizer_down', 'The recognizer is not available'],
  ['not_available', '{name} is not available[ (HTTP {status})]'],
  ['no_response', '{name} did not respond in time[ (HTTP {status})]'],
  ['unreachable', '{name} could not be reached'],
  ['unreadable', '{name} returned a response that could not be read'],
  ['incomplete', '{name} returned an incomplete response[ (HTTP {status})]: retry the session or choose another model'],
  ['no_content', '{name} returned no content'],
  ['unreadable_json', '{name} returned JSON that cannot be read: retry the session or choose another model'],
  ['no_summary', '{name} returned JSON without a summary: retry the session or choose another model'],
  ['prose', '{name} returned text instead of JSON, such as a refusal: change the instructions or choose another model'],
  [
    'prompt_too_long',
    '{name} refused the prompt as too long[ (HTTP {status})]: shorten it or choose a model with a larger context',
  ],
  ['prompt_cut', '{name} read {read} of at least {least} tokens of the prompt: set a larger context on the server'],
  ['answer_too_long', '{name} was cut off at {max} tokens of output'],
  ['answer_cut', '{name} ended its answer in the middle: retry the session or choose another model'],
  [
    'recording_too_large',
    '{name} refused the recording as too large[ (HTTP {status})]: send it in parts or choose another model',
  ],
  ['not_transcribed', '{name} could not transcribe this audio'],
  ['other_channels', '{name} found {count} channels in the recording, and channel_roles name {named}'],
  [
    'no_credit',
    '{name} has no credit left for this account[ (HTTP {status})]: add credit or raise the spending limit, then retry',
  ],
  ['budget_reached', 'Monthly budget reached. Raise it, then retry.'],
  ['installation_budget_reached', 'Monthly budget of this installation reached.'],
  ['redaction_failed', 'the conversation could not be redacted: {problem}'],
  ['workers_lost', 'the step was stopped: {count} workers in a row stopped responding during it'],
  ['no_worker', 'no worker finished the step in time'],
  ['step_failed', 'the step failed unexpectedly'],
  ['step_failed', 'the call failed unexpectedly'],
  ['call_canceled', 'the call was canceled before the provider responded'],
  ['run_terminated', 'the workflow of this session was terminated or timed out'],
  [
    'fetch_url_locked',
    '{name} cannot be called, because the stored URL cannot be decrypted; retry the session with the URL',
  ],
  ['fetch_too_slow', '{name} did not send the recording within an hour'],
  ['fetch_not_stored', '{name} sent a recording, but storing it failed'],
  ['fetch_disk_full', '{name} sent a recording, but the disk is full'],
  ['fetch_over_limit', '{name} sent a recording that exceeds the storage limit; delete sessions, then retry'],
  ['fetch_too_large', '{name} has a recording of more than {max} bytes'],
  ['fetch_too_large', '{name} returned a file that is larger than {max} bytes'],
  ['fetch_page', '{name} returned a web page instead of a recording; check that the URL works without a login'],
  ['fetch_empty', '{name} returned a file that is empty'],
  ['fetch_empty', '{name} returned a file that contains no sound'],
  ['fetch_silent', '{name} returned a file that has no sound, or less than {min} s of it'],
  [
    'fetch_too_long',
    "{name} returned a file that is {length} s long; the assistant's speech-to-text model accepts {max} s",
  ],
  ['fetch_other_type', '{name} returned a file that is {type}; {model} accepts {types}'],
  ['fetch_unfit', '{name} returned a file that {problem}'],
  ['fetch_redirect', '{name} sent a redirect that is not followed'],
  ['fetch_cut_off', '{name} closed the connection before the recording was complete'],
  ['fetch_no_address', '{name} has no address, or its name servers do not respond'],
  ['fetch_closed', '{name} closed the connection without a response'],
  ['fetch_invalid', '{name} sent a response that is not valid HTTP/1.1'],
  ['fetch_tls', '{name} has no valid TLS certificate'],
  ['fetch_blocked', '{name} or a redirect has an address that is not allowed'],
  ['fetch_status', '{name} responded with HTTP {status}'],
] as const;

const escape = (text: string) => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');

const PATTERNS = SENTENCES.flatMap(([reason, sentence]) =>
  [sentence.replaceAll(/[[\]]/g, ''), sentence.replaceAll(/\[[^[\]]*\]/g, '')].map((form) => ({
    reason,
    pattern: new RegExp(`^${escape(form).replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 's'),
  })),
);

function read(message: string) {
  for (const { reason, pattern } of PATTERNS) {
    const found = pattern.exec(message);
    if (found) return { reason, ...(found.groups && { params: found.groups }) };
  }
  return undefined;
}

/** Rows that one statement changes, so that no lock is held for long. */
const PAGE = 1_000;

/** Tables with failures, and the columns of their primary key, which are text or integers. */
const TABLES = [
  { table: 'sessions', key: ['id'], first: [''] },
  { table: 'provider_calls', key: ['session_id', 'step', 'attempt'], first: ['', '', 0] },
];

/** Each page is committed. A repeated run continues with the failures that have no reason yet. */
export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  for (const { table, key, first } of TABLES) {
    const columns = key.join(', ');
    let after: unknown[] = first;
    for (;;) {
      const { rows } = (await db.raw(
        `select ${columns}, error ->> 'message' as message from ${table}
         where error is not null and error -> 'reason' is null and (${columns}) > (${key.map(() => '?').join(', ')})
         order by ${columns} limit ${PAGE}`,
        after as Knex.RawBinding[],
      )) as { rows: Record<string, unknown>[] };
      const last = rows.at(-1);
      if (!last) break;
      after = key.map((column) => last[column]);
      const given = rows.flatMap((row) => {
        const said = read(String(row['message']));
        return said ? [{ ...row, said }] : [];
      });
      const record = key.map((column) => `${column} ${column === 'attempt' ? 'integer' : 'text'}`).join(', ');
      const same = key.map((column) => `${table}.${column} = given.${column}`).join(' and ');
      await db.raw(
        `update ${table} set error = error || given.said
         from jsonb_to_recordset(?::jsonb) as given (${record}, said jsonb) where ${same} and ${table}.error is not null`,
        [JSON.stringify(given)],
      );
    }
  }
}
