/** Prints the API's responses for the demo. */
import { setTimeout as sleep } from 'node:timers/promises';
import { listSessionDeliveries, type Client, type Session } from 'conversation-analysis-client';
import type { FieldResults } from '../contract/fields/result-fields.ts';
import { StartError } from '../runtime/process/process.ts';

const DELIVERY_TIMEOUT_MS = 15 * 60_000;

export function heading(text: string): void {
  console.log(`\n${text}`);
}

export function showResult(session: Session): void {
  const { session_id, status, type, simulated, summary_text, raw_response } = session;
  if (status !== 'completed') {
    throw new StartError(`The session is ${status}, not completed. See ${session_id} in the Temporal UI.`);
  }
  console.log(`  ${session_id} is ${status}${simulated ? ' (simulated: no provider key is set)' : ''}`);
  if (type === 'voice') showTranscript(session);
  heading('summary_text');
  console.log(`  ${summary_text ?? ''}`);
  if (type === 'text') {
    heading('raw_response');
    const { fields: _shown, evidence: _below, ...rest } = raw_response ?? {};
    console.log(JSON.stringify(rest, null, 2).replaceAll(/^/gm, '  '));
  }
  showFields(session);
  heading('total_cost');
  const { total_cost, cost_known, cost_breakdown } = session;
  console.log(`  ${total_cost} US dollars${cost_known ? '' : ' (the price of a call is unknown)'}`);
  for (const { step, provider, model, cost_usd } of cost_breakdown) {
    console.log(`  ${step} by ${provider}${model === null ? '' : ` ${model}`}: ${cost_usd ?? 'unknown'}`);
  }
}

function showTranscript({ transcript, conversation, roles }: Session): void {
  heading('transcript');
  console.log(`  ${transcript?.duration_s ?? '?'} s, language ${transcript?.language ?? 'unknown'}`);
  for (const { role, text, start_s } of conversation ?? []) {
    console.log(`  ${start_s === undefined ? '' : `${start_s.toFixed(1).padStart(5)} s  `}${role}: ${text}`);
  }
  heading('roles, with evidence');
  for (const [speaker, role] of Object.entries(roles?.map ?? {})) {
    console.log(`  ${speaker}: ${role ?? 'unknown'}`);
    for (const { turn, quote } of roles?.evidence[speaker]?.quotes ?? []) console.log(`    turn ${turn}: “${quote}”`);
  }
}

function showFields({ raw_response }: Session): void {
  const { fields, evidence, problems } = raw_response as unknown as FieldResults;
  heading('fields, with evidence');
  for (const [name, value] of Object.entries(fields)) {
    const reason = problems?.[name]?.message ?? 'not said';
    const checked = evidence[name]?.verified ? 'verified' : 'not verified';
    console.log(`  ${name}: ${value === null ? `null (${reason})` : `${JSON.stringify(value)} (${checked})`}`);
    for (const { turn, quote, start_s } of evidence[name]?.quotes ?? []) {
      console.log(`    turn ${turn}${start_s === undefined ? '' : `, ${start_s.toFixed(1)} s`}: “${quote}”`);
    }
  }
}

/** Prints each attempt of a delivery when it ends, until the delivery has ended. */
export async function followDelivery(client: Client, { session_id: id }: Session): Promise<void> {
  const where = `/v1/sessions/${id}/deliveries`;
  let shown = 0;
  for (const deadline = Date.now() + DELIVERY_TIMEOUT_MS; Date.now() < deadline; await sleep(250)) {
    const { data } = await listSessionDeliveries({ client, path: { id } });
    const [delivery] = data.data;
    if (!delivery) throw new StartError('The session has no delivery although the assistant has a webhook.');
    const ended = delivery.attempts.filter(({ outcome }) => outcome !== null).slice(shown);
    for (const { attempt, failure, status_code, duration_ms, next_attempt_at } of ended) {
      shown = attempt;
      const end = `${failure ?? 'delivered'}, HTTP ${status_code ?? '–'}, ${duration_ms ?? '?'} ms`;
      console.log(`  attempt ${attempt}: ${end}`);
      if (next_attempt_at !== null) console.log(`  next attempt at ${next_attempt_at}`);
    }
    if (delivery.status === 'delivered') return;
    if (delivery.status !== 'pending') throw new StartError(`The delivery is ${delivery.status}. See ${where}.`);
  }
  throw new StartError(`The delivery did not end within ${DELIVERY_TIMEOUT_MS / 60_000} minutes. See ${where}.`);
}
