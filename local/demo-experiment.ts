/** Reviews simulated calls for the demo, and compares two prompts with the reviews, all with the API. */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import {
  createAssistant,
  createBatch,
  getBatch,
  getBatchAccuracy,
  listProviders,
  listSessions,
  putSessionReview,
  submitTextRequest,
  type AssistantInput,
  type Batch,
  type Client,
} from 'conversation-analysis-client';
import type { LlmProviderName } from '../contract/values/constants.ts';
import { StartError } from '../runtime/process/process.ts';
import { CALLS, makeCalls, NEW_PROMPT, PROMPT, type DemoCall } from './demo-calls.ts';
import { heading } from './demo-show.ts';

const REVIEWED = 60;
const AT_ONCE = 5;
const BATCH_TIMEOUT_MS = 5 * 60_000;

const FIELDS: AssistantInput['fields'] & object = [
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
export async function runExperiment(client: Client): Promise<Experiment | undefined> {
  heading('Reviews and an experiment');
  const { data: providers } = await listProviders({ client });
  const simulated = providers.data.find(({ step, simulated }) => step === 'analysis' && simulated);
  if (!simulated) {
    console.log('  skipped, because it needs a simulated provider');
    return undefined;
  }
  const { data: assistant } = await createAssistant({
    client,
    body: {
      name: 'Reviewed calls',
      description: 'A stand-in answers, and makes errors at known rates. Made by the demo.',
      type: 'text',
      llm_provider: simulated.provider as LlmProviderName,
      system_prompt: PROMPT,
      fields: FIELDS,
    },
  });
  console.log(`  submitting ${CALLS} calls …`);
  const truths = await submitCalls(client, assistant.id);
  console.log(`  reviewing ${REVIEWED} of them, chosen at random …`);
  await reviewSample(client, assistant.id, truths);
  console.log(`  analyzing these again with another prompt …`);
  const batchId = await reanalyze(client, assistant.id);
  await showVerdicts(client, batchId);
  return { assistantId: assistant.id, batchId };
}

/** Returns the right answers by session ID. */
async function submitCalls(client: Client, assistant_id: string): Promise<Map<string, DemoCall['truth']>> {
  const truths = new Map<string, DemoCall['truth']>();
  await pLimit(AT_ONCE).map(makeCalls(CALLS), async ({ conversation, operator, truth }, index) => {
    const metadata = { call_id: `demo-${index + 1}`, agent: operator };
    const body = { assistant_id, conversation, metadata };
    const { data: session } = await submitTextRequest({ client, body });
    truths.set(session.session_id, truth);
  });
  return truths;
}

async function reviewSample(client: Client, assistantId: string, truths: ReadonlyMap<string, DemoCall['truth']>) {
  const query = { assistant_id: assistantId, review: 'unsampled', sort: 'random', limit: REVIEWED } as const;
  const { data: chosen } = await listSessions({ client, query });
  await pLimit(AT_ONCE).map(chosen.data, ({ session_id: id }) =>
    putSessionReview({ client, path: { id }, body: { answers: { ...truths.get(id) }, sampled: true } }),
  );
}

/** Returns the ID of the batch when it has ended. */
async function reanalyze(client: Client, assistant_id: string): Promise<string> {
  const { data: created } = await createBatch({
    client,
    body: {
      name: 'Is a stricter prompt better?',
      action: 'reanalyze',
      filter: { assistant_id, review: 'sampled' },
      overrides: { system_prompt: NEW_PROMPT },
    },
  });
  const { batch_id: id } = created as Batch;
  for (const deadline = Date.now() + BATCH_TIMEOUT_MS; Date.now() < deadline; await sleep(500)) {
    const { data: batch } = await getBatch({ client, path: { id } });
    if (batch.ended_at !== null) return id;
  }
  throw new StartError(`The batch did not end within ${BATCH_TIMEOUT_MS / 60_000} minutes. See /v1/batches/${id}.`);
}

async function showVerdicts(client: Client, id: string): Promise<void> {
  const { data: accuracy } = await getBatchAccuracy({ client, path: { id } });
  const { fields, sessions } = accuracy;
  console.log(`  right values in ${sessions} reviewed calls, before and after (simulated):`);
  const percent = (share: number | null) => `${Math.round(100 * (share ?? 0))}%`;
  for (const { name, before, after, verdict } of fields)
    console.log(`  ${name}: ${percent(before.share)} and ${percent(after.share)}, ${verdict}`);
}
