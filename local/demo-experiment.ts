/** Reviews simulated calls for the demo, and compares two prompts with the reviews, all with the API. */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Assistant, AssistantSettings } from '../contract/assistants/assistant-schemas.ts';
import type { BatchAccuracy } from '../contract/reviews/accuracy.ts';
import type { Provider } from '../contract/service/service.ts';
import type { Batch } from '../contract/sessions/batches.ts';
import type { SessionListItem, Session } from '../contract/sessions/sessions.ts';
import { StartError } from '../runtime/process.ts';
import { CALLS, makeCalls, NEW_PROMPT, PROMPT } from './demo-calls.ts';
import type { DemoClient } from './demo-client.ts';
import { heading } from './demo-show.ts';

const REVIEWED = 60;
const AT_ONCE = 5;
const BATCH_TIMEOUT_MS = 5 * 60_000;

const FIELDS: AssistantSettings['fields'] = [
  { name: 'resolved', title: 'Resolved', type: 'boolean', description: 'Was the problem solved?', evidence: true },
  {
    name: 'reason',
    title: 'Reason',
    type: 'enum',
    description: 'Why did the client call?',
    options: ['billing', 'connection', 'contract', 'delivery'],
    evidence: true,
  },
  {
    name: 'score',
    title: 'Score of the client',
    type: 'integer',
    description: 'Which score did the client give?',
    minimum: 0,
    maximum: 10,
    evidence: true,
  },
  {
    name: 'call_back',
    title: 'Call back promised',
    type: 'boolean',
    description: 'Did the operator promise to call back?',
    evidence: false,
  },
];

export interface Experiment {
  assistantId: string;
  batchId: string;
}

/** Returns undefined if every provider is real, because a real model would cost money and has no known error rate. */
export async function runExperiment(client: DemoClient): Promise<Experiment | undefined> {
  heading('Reviews and an experiment');
  const path = '/v1/providers';
  const { data: providers } = await client.call<{ data: Provider[] }>('list the providers', 'GET', path);
  const simulated = providers.find(({ step, simulated }) => step === 'analysis' && simulated);
  if (!simulated) {
    console.log('  skipped, because it needs a simulated provider');
    return undefined;
  }
  const assistant = await client.call<Assistant>('create an assistant', 'POST', '/v1/assistants', {
    name: 'Reviewed calls',
    description: 'A stand-in answers, and makes errors at known rates. Made by the demo.',
    type: 'text',
    llm_provider: simulated.provider,
    system_prompt: PROMPT,
    fields: FIELDS,
  });
  console.log(`  submitting ${CALLS} calls …`);
  const truths = await submitCalls(client, assistant.id);
  console.log(`  reviewing ${REVIEWED} of them, chosen at random …`);
  await reviewSample(client, assistant.id, truths);
  console.log(`  analyzing these again with another prompt …`);
  const batch = await reanalyze(client, assistant.id);
  await showVerdicts(client, batch);
  return { assistantId: assistant.id, batchId: batch.batch_id };
}

/** Returns the right answers by session ID. */
async function submitCalls(client: DemoClient, assistant_id: string): Promise<Map<string, object>> {
  const truths = new Map<string, object>();
  await pLimit(AT_ONCE).map(makeCalls(CALLS), async ({ conversation, truth }, index) => {
    const body = { assistant_id, conversation, metadata: { call_id: `demo-${index + 1}` } };
    const session = await client.call<Session>('submit a conversation', 'POST', '/v1/requests/text', body);
    truths.set(session.session_id, truth);
  });
  return truths;
}

async function reviewSample(client: DemoClient, assistantId: string, truths: ReadonlyMap<string, object>) {
  const query = `assistant_id=${assistantId}&review=unsampled&sort=random&limit=${REVIEWED}`;
  const path = `/v1/sessions?${query}`;
  const { data } = await client.call<{ data: SessionListItem[] }>('choose conversations', 'GET', path);
  await pLimit(AT_ONCE).map(data, async ({ session_id }) => {
    const review = { answers: truths.get(session_id), sampled: true };
    await client.call('store a review', 'PUT', `/v1/sessions/${session_id}/review`, review);
  });
}

async function reanalyze(client: DemoClient, assistant_id: string): Promise<Batch> {
  const created = await client.call<Batch>('create a batch', 'POST', '/v1/batches', {
    name: 'Is a stricter prompt better?',
    action: 'reanalyze',
    filter: { assistant_id, review: 'sampled' },
    overrides: { system_prompt: NEW_PROMPT },
  });
  const path = `/v1/batches/${created.batch_id}`;
  for (const deadline = Date.now() + BATCH_TIMEOUT_MS; Date.now() < deadline; await sleep(500)) {
    const batch = await client.call<Batch>('read the batch', 'GET', path);
    if (batch.ended_at !== null) return batch;
  }
  throw new StartError(`The batch did not end within ${BATCH_TIMEOUT_MS / 60_000} minutes. See ${path}.`);
}

async function showVerdicts(client: DemoClient, { batch_id }: Batch): Promise<void> {
  const path = `/v1/batches/${batch_id}/accuracy`;
  const { fields, sessions } = await client.call<BatchAccuracy>('compare with the reviews', 'GET', path);
  console.log(`  right values in ${sessions} reviewed calls, before and after (simulated):`);
  const percent = (share: number | null) => `${Math.round(100 * (share ?? 0))}%`;
  for (const { name, before, after, verdict } of fields)
    console.log(`  ${name}: ${percent(before.share)} and ${percent(after.share)}, ${verdict}`);
}
