/**
 * Records the histories that replay.test.ts replays: `node test/workflows/record-histories.ts [name …]`. Uses a real service with real
 * waits, and records all histories at the same time. The delivery that fails four times takes 12.5 minutes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import form from '../../.oxfmtrc.json' with { type: 'json' };
import { submitTextRequest } from '../../contract/sessions/requests.ts';
import { SIGNALS } from '../../contract/workflows.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { startBatch, startDelivery } from '../../runtime/temporal/start.ts';
import { send } from '../support/api.ts';
import { startTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createBatch, createUser } from '../support/factories.ts';
import { delaysOf, textOf } from '../support/history.ts';
import { startReceiver } from '../support/receiver.ts';
import { startRun } from '../support/run.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { submitVoice } from '../support/voice.ts';

/** Folder of the next release's histories. */
const DIRECTORY = new URL('./histories/next/', import.meta.url);
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

interface Scenario {
  /** Statuses of the delivery's attempts, in order. The last one is repeated. Without statuses, there is no webhook. */
  answers?: number[];
  /** A directive for the stand-in provider. */
  directive?: string;
  /** Name of a recording. If set, the conversation is a voice conversation. */
  recording?: string;
  cancel?: boolean;
  /** If true, no worker has a slot for the step when the session is canceled. */
  isQueued?: boolean;
  /** Signal that is sent after the first attempt has failed. */
  signal?: string;
  /** Records the workflow of a redelivery or batch instead of the session's workflow. */
  again?: 'one' | 'batch';
}

const SCENARIOS: Record<string, Scenario> = {
  'completed-without-webhook': {},
  'delivered-at-first-attempt': { answers: [200] },
  'delivered-at-third-attempt': { answers: [503, 503, 200] },
  'failed-delivery': { answers: [503] },
  'hastened-delivery': { answers: [503, 200], signal: SIGNALS.retryNow },
  'stopped-delivery': { answers: [503], signal: SIGNALS.stopDelivery },
  redelivery: { answers: [503, 503, 200], signal: SIGNALS.stopDelivery, again: 'one' },
  batch: { again: 'batch' },
  'failed-analysis': { directive: '[provider status=400]' },
  'voice-delivered': { recording: 'call.mp3', answers: [200] },
  'voice-failed-transcription': { recording: 'call [provider status=400].mp3' },
  outage: { directive: '[provider status=503 times=3]', answers: [200] },
  'canceled-while-queued': { isQueued: true },
  canceled: { directive: '[provider delay_ms=60000]', cancel: true },
};

const VOICE = { type: 'voice', stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' } as const;

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(SCENARIOS);

const run = startRun();
await startTestDatabase();
const { temporal } = await testTemporal();
const service = await startTestService({ env: { PROVIDER_RETRY_WINDOW_S: '600', WORKER_CALLS_PER_PROVIDER: '5' } });
const receiver = await startReceiver((response, { path, headers }) => {
  const { answers = [] } = SCENARIOS[path.slice(1)] ?? {};
  const attempt = Number(headers['x-webhook-attempt']);
  response.writeHead(answers[attempt - 1] ?? answers.at(-1) ?? 200).end();
});
mkdirSync(DIRECTORY, { recursive: true });
try {
  await Promise.all(names.map(record));
} finally {
  await receiver.stop();
  await service.stop();
  await run.stop();
}
process.exit(0);

async function record(name: string): Promise<void> {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`${name} is none of ${Object.keys(SCENARIOS).join(', ')}`);
  const sessionId = await submit(name, scenario);
  let handle = temporal.client.workflow.getHandle(sessionId);
  if (scenario.cancel) {
    await eventually(
      async () => SessionModel.query().findById(sessionId),
      (row) => row?.status === 'analyzing',
    );
    await handle.cancel();
  }
  if (scenario.isQueued) {
    await eventually(
      async () => (await handle.describe()).raw.pendingActivities?.[0]?.attempt ?? 0,
      (attempt) => attempt > 1,
    );
    await handle.cancel();
  }
  if (scenario.signal !== undefined) {
    await eventually(
      async () => delaysOf(await handle.fetchHistory()),
      (delays) => delays.length > 0,
    );
    await handle.signal(scenario.signal);
  }
  await handle.result().catch(() => undefined);
  if (scenario.again !== undefined)
    handle = temporal.client.workflow.getHandle(await makeAgain(sessionId, scenario.again));
  await handle.result().catch(() => undefined);
  const filepath = fileURLToPath(new URL(`${name}.json`, DIRECTORY));
  // Removed, because stack traces contain file names of this machine.
  const text = textOf(await handle.fetchHistory()).replaceAll(PROJECT, '');
  const { code } = await format(filepath, text, form);
  writeFileSync(filepath, code);
  console.log(`recorded ${name}`);
}

/** Returns the ID of the workflow. */
async function makeAgain(session_id: string, again: 'one' | 'batch'): Promise<string> {
  if (again === 'batch') return reanalyze(await SessionModel.query().findById(session_id).throwIfNotFound());
  const delivery = await DeliveryModel.query().findOne({ session_id }).throwIfNotFound();
  const [made] = await DeliveryModel.createOwn([delivery.toReplay()]);
  if (!made) throw new Error('one delivery was made');
  await startDelivery(temporal.client, made);
  return made.id;
}

async function reanalyze({ workspace_id, assistant_id, assistant }: SessionModel): Promise<string> {
  const { id } = await createBatch(workspace_id, {
    action: 'reanalyze',
    conditions: { assistant_id },
    settings: assistant,
    total: 1,
  });
  await startBatch(temporal.client, id);
  return id;
}

async function submit(name: string, { answers, directive = '', recording, isQueued }: Scenario): Promise<string> {
  const { user, token } = await createUser();
  const webhook_url = answers ? `${receiver.url}/${name}` : null;
  const assistant = await createAssistant(user.default_workspace_id, {
    webhook_url,
    ...(recording !== undefined && VOICE),
  });
  if (recording !== undefined) {
    const headers = { Prefer: 'respond-async' };
    const request = { token, assistantId: assistant.id, fileName: recording, headers };
    return (await submitVoice(service.api, request)).session_id;
  }
  const say = async (text: string) => {
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text }] };
    return send(service.api, submitTextRequest, { token, headers: { Prefer: 'respond-async' }, body });
  };
  if (isQueued) await Promise.all(Array.from({ length: 10 }, () => say('[provider delay_ms=60000]')));
  return (await say(`Hello. ${directive}`)).body.session_id;
}
