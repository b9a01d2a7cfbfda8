/** What the demo prints of what the API answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../contract/deliveries.ts';
import type { FieldResults } from '../contract/result-fields.ts';
import type { CostItem, Session } from '../contract/sessions.ts';
import { StartError } from '../runtime/process.ts';
import type { DemoClient } from './demo-client.ts';

const DELIVERY_TIMEOUT_MS = 15 * 60_000;

export function heading(text: string): void {
  console.log(`\n${text}`);
}

export function showResult(session: Session): void {
  if (session.status !== 'completed') {
    throw new StartError(
      `The session is ${session.status} and not completed. Look at ${session.session_id} in the Temporal UI.`,
    );
  }
  const { summary_text, raw_response, simulated } = session;
  console.log(`  ${session.session_id} is ${session.status}${simulated ? ' (simulated: no vendor key is set)' : ''}`);
  if (session.type === 'voice') {
    showTranscript(session);
    showRoles(session);
  }
  heading('summary_text');
  console.log(`  ${summary_text ?? ''}`);
  if (session.type === 'text') {
    heading('raw_response');
    const { fields: _shown, evidence: _below, ...rest } = raw_response ?? {};
    console.log(JSON.stringify(rest, null, 2).replaceAll(/^/gm, '  '));
  }
  showFields(session);
  heading('total_cost');
  const { total_cost, cost_known, cost_breakdown } = session;
  console.log(`  ${total_cost} US dollars${cost_known ? '' : ' (the price of a call is not known)'}`);
  for (const item of cost_breakdown) console.log(`  ${costLine(item)}`);
}

/** Shows each value, and the words of the conversation that it follows from. */
function showFields({ raw_response }: Session): void {
  const { fields, evidence, problems } = raw_response as unknown as FieldResults;
  heading('fields, each with its evidence');
  for (const [name, value] of Object.entries(fields)) {
    const reason = problems?.[name]?.message ?? 'not said';
    const checked = evidence[name]?.verified ? 'verified' : 'not verified';
    console.log(`  ${name}: ${value === null ? `null (${reason})` : `${JSON.stringify(value)} (${checked})`}`);
    for (const { turn, quote, start_s } of evidence[name]?.quotes ?? []) {
      console.log(`    turn ${turn}${start_s === undefined ? '' : `, ${start_s.toFixed(1)} s`}: “${quote}”`);
    }
  }
}

function showTranscript({ transcript, conversation }: Session): void {
  heading('transcript');
  console.log(`  ${transcript?.duration_s ?? '?'} s, language ${transcript?.language ?? 'unknown'}`);
  for (const { role, text, start_s } of conversation ?? []) {
    console.log(`  ${start_s === undefined ? '' : `${start_s.toFixed(1).padStart(5)} s  `}${role}: ${text}`);
  }
}

/** Shows who is who, and the words that it follows from. */
function showRoles({ roles }: Session): void {
  heading('roles, each with its evidence');
  for (const [speaker, role] of Object.entries(roles?.map ?? {})) {
    console.log(`  ${speaker}: ${role ?? 'not known'}`);
    for (const { turn, quote } of roles?.evidence[speaker]?.quotes ?? []) console.log(`    turn ${turn}: “${quote}”`);
  }
}

function costLine({ step, provider, model, cost_usd }: CostItem): string {
  return `${step} by ${provider}${model === null ? '' : ` ${model}`}: ${cost_usd ?? 'not known'}`;
}

/** Shows each attempt once it has ended, until the delivery has. */
export async function followDelivery(client: DemoClient, session: Session): Promise<void> {
  const path = `/v1/sessions/${session.session_id}/deliveries`;
  let shown = 0;
  for (const deadline = Date.now() + DELIVERY_TIMEOUT_MS; Date.now() < deadline; await sleep(250)) {
    const { data } = await client.call<{ data: Delivery[] }>('read the deliveries', 'GET', path);
    const delivery = data[0];
    if (!delivery) throw new StartError('The session has no delivery although the assistant has a webhook.');
    for (const attempt of delivery.attempts.filter((each) => each.outcome !== null).slice(shown)) {
      shown = attempt.attempt;
      const end = attempt.failure ?? 'delivered';
      console.log(
        `  attempt ${attempt.attempt}: ${end}, HTTP ${attempt.status_code ?? '–'}, ${attempt.duration_ms ?? '?'} ms`,
      );
      if (attempt.next_attempt_at !== null) console.log(`  next attempt at ${attempt.next_attempt_at}`);
    }
    if (delivery.status === 'delivered') return;
    if (delivery.status !== 'pending') throw new StartError(`The delivery is ${delivery.status}. See ${path}.`);
  }
  throw new StartError(`The delivery did not end within ${DELIVERY_TIMEOUT_MS / 60_000} minutes. See ${path}.`);
}
