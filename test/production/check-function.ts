/** Checks the functions of an installation before any fault is caused. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { API_BASE } from '../../contract/values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../contract/values/providers.ts';
import { listSessionDeliveries, redeliver } from '../../contract/sessions/deliveries.ts';
import { submitTextRequest } from '../../contract/sessions/requests.ts';
import { getSession, type Session } from '../../contract/sessions/sessions.ts';
import { openAccount } from '../../bench/account.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import { SCHEDULE_IDS } from '../../worker/schedules.ts';
import { send } from '../support/api.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { textOf } from '../support/history.ts';
import { silentLog } from '../support/log.ts';
import { submitVoice } from '../support/voice.ts';
import type { Installation } from './installation.ts';

const SAMPLE = readFileSync(new URL('../../examples/samples/support-call.mp3', import.meta.url));
/** Long, because Aisha's jobs are polled only every few seconds. */
const END_TIMEOUT_MS = 60_000;

/** Throws if a function does not work. */
export async function checkFunction(installation: Installation): Promise<void> {
  const { proxy, receiver } = installation;
  const { authorization, addAssistant } = await openAccount(proxy.url, `function-${randomUUID()}`);
  const token = authorization.replace('Bearer ', '');
  const webhook = { webhook_url: `${receiver.url}/function`, webhook_secret: 'the-secret-of-the-receiver' };

  const texts = LLM_PROVIDERS.filter((name) => name !== 'local').map(async (llm_provider) => {
    const assistant_id = await addAssistant({ type: 'text', llm_provider, ...webhook });
    const body = { assistant_id, conversation: [{ role: 'client', text: `A secret word: ${SECRET_WORD}` }] };
    return (await send(proxy, submitTextRequest, { token, body })).body;
  });
  const calls = STT_PROVIDERS.filter((name) => name !== 'local').map(async (stt_provider) => {
    const assistantId = await addAssistant({ type: 'voice', stt_provider, ...webhook });
    return submitVoice(proxy, { token, assistantId });
  });
  const sessions = await Promise.all([...texts, ...calls]);
  for (const { session_id } of sessions) await expectDelivered(installation, token, session_id);
  const [text] = sessions as [Session];
  const spoken = sessions.find(({ type }) => type === 'voice') as Session;
  await expectSameRecording(installation, token, spoken.session_id);
  await expectSameRedelivery(installation, token, text.session_id);
  await expectOneSession(installation, token, text.assistant_id);
  await expectFoundInTemporal(installation, text.session_id);
}

const SECRET_WORD = 'rhododendron';

async function expectDelivered({ proxy, receiver }: Installation, token: string, session_id: string): Promise<void> {
  const read = async () => (await send(proxy, getSession, { token, params: { id: session_id } })).body;
  const session = await eventually(read, ({ completed_at }) => completed_at !== null, END_TIMEOUT_MS);
  expect(session, JSON.stringify(session.error)).to.include({ status: 'completed', simulated: true });
  await eventuallyEqual(
    () => receiver.requests.filter(({ body }) => body.includes(session_id)).length,
    1,
    END_TIMEOUT_MS,
  );
}

async function expectSameRecording({ proxy, objects }: Installation, token: string, id: string): Promise<void> {
  const stored = [...objects].filter(([path]) => path.includes(id));
  expect(stored.map(([, { body }]) => body.equals(SAMPLE))).to.deep.equal([true]);
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${proxy.url}${API_BASE}/v1/sessions/${id}/audio`, { headers });
  expect(Buffer.from(await answer.arrayBuffer()).equals(SAMPLE)).to.equal(true);
}

async function expectSameRedelivery({ proxy, receiver }: Installation, token: string, id: string): Promise<void> {
  const { data } = (await send(proxy, listSessionDeliveries, { token, params: { id } })).body;
  expect(data.map(({ status }) => status)).to.deep.equal(['delivered']);
  await send(proxy, redeliver, { token, params: { id: data[0]?.delivery_id ?? '' } });
  const posts = await eventually(
    () => receiver.requests.filter(({ body }) => body.includes(id)),
    (found) => found.length === 2,
  );
  expect(posts[0]?.body.equals(posts[1]?.body ?? Buffer.alloc(0))).to.equal(true);
}

/** Sends the same idempotency key to both APIs at the same time. */
async function expectOneSession({ apis }: Installation, token: string, assistant_id: string): Promise<void> {
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { assistant_id, conversation: [{ role: 'client', text: 'Hello.' }] };
  const answers = await Promise.all(apis.map((api) => send(api, submitTextRequest, { token, body, headers })));
  expect(new Set(answers.map((answer) => answer.body.session_id)).size).to.equal(1);
}

/** Temporal's lists are up to 102 s behind: deploy/temporal-dynamic-config.yaml. */
const LISTED_MS = 120_000;

/** Checks that search attributes find the session, that its history contains no text, and that the sweeps are scheduled. */
async function expectFoundInTemporal({ temporalAddress }: Installation, id: string): Promise<void> {
  const config = { address: temporalAddress, namespace: 'default', tls: false, apiKey: undefined };
  const { client, connection } = await connectTemporal(config, silentLog);
  try {
    const query = `WorkflowId = "${id}" AND SessionStatus = "completed" AND DeliveryStatus = "delivered"`;
    await eventuallyEqual(async () => (await client.workflow.count(query)).count, 1, LISTED_MS);
    expect(textOf(await client.workflow.getHandle(id).fetchHistory())).not.to.include(SECRET_WORD);
    for (const schedule of SCHEDULE_IDS) await client.schedule.getHandle(schedule).describe();
  } finally {
    await connection.close();
  }
}
