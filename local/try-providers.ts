/** Makes one small call with each configured key, and prints what came back: `npm run try:providers [-- recording.wav]`. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adapt } from '../activities/providers/policy/negotiate.ts';
import { ANSWER_SCHEMA } from '../activities/providers/llm/answer-schema.ts';
import { createLlmProviders } from '../activities/providers/llm/index.ts';
import { requireAnswer } from '../activities/providers/llm/read-response.ts';
import { ProviderError } from '../activities/providers/policy/provider-error.ts';
import type { CallReport } from '../activities/providers/policy/record-call.ts';
import { createSttProviders } from '../activities/providers/stt/index.ts';
import type { ProviderName } from '../contract/values/constants.ts';
import { capabilityOf, LLM_PROVIDERS, STT_PROVIDERS } from '../contract/values/providers.ts';
import { readConfig } from '../runtime/settings/config.ts';
import { createPriceOf } from '../runtime/prices/prices.ts';

/** Settings that the calls do not use. */
const UNUSED = {
  DATABASE_URL: 'postgresql://127.0.0.1/none',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  JWT_SECRETS: 'x'.repeat(64),
  ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
  AUDIO_STORE: '/tmp',
};

const config = readConfig({ ...UNUSED, ...process.env });
const llm = createLlmProviders(config);
const stt = createSttProviders(config);
const priceOf = createPriceOf(process.env['PRICES_FILE'] || undefined);
const { signal } = new AbortController();
const [path = fileURLToPath(new URL('../examples/samples/support-call.mp3', import.meta.url))] = process.argv.slice(2);

let failures = 0;

async function row(
  provider: ProviderName,
  model: string | null,
  call: () => Promise<{ answer: CallReport & { said: string }; leftOut: string[] }>,
) {
  const started = performance.now();
  const { leftOut, ...shown } = await call().then(
    ({ answer: { said, usage, costUsd, servedBy }, leftOut: names }) => {
      const { factor = 1, model: served } = servedBy ?? {};
      const listed = priceOf(provider, model, usage, served);
      const known = factor === null || listed === null ? 'unknown' : listed * factor;
      return { result: said.slice(0, 60) || '(no speech)', cost: costUsd ?? known, leftOut: names };
    },
    (error: unknown) => {
      failures += 1;
      const { code, param } = (error instanceof ProviderError && error.details.refusal) || {};
      const message = error instanceof Error ? error.message : String(error);
      return { result: [message, code, param].filter(Boolean).join(', '), cost: '', leftOut: [] };
    },
  );
  const time = `${Math.round(performance.now() - started)} ms`;
  return { provider, model, result: shown.result, 'US dollars': shown.cost, time, 'left out': leftOut.join(', ') };
}

const PROMPT = {
  system: 'Summarize the conversation.',
  user: 'client: My parcel is late.\noperator: It arrives tomorrow.',
};

const rows: Awaited<ReturnType<typeof row>>[] = [];
for (const name of LLM_PROVIDERS) {
  const { apiKey, defaultModel } = config.providers.analysis[name];
  if (apiKey === undefined || defaultModel === null) continue;
  const temperature = capabilityOf(name, defaultModel).temperature === 'send' ? 0.7 : null;
  const provider = await llm[name]();
  const prompt = { ...PROMPT, schema: ANSWER_SCHEMA, temperature, maxOutputTokens: 2_000 };
  const request = { ...prompt, model: defaultModel, signal };
  rows.push(
    await row(name, defaultModel, () =>
      adapt(provider, request, async (adapted) => {
        const response = await provider.complete(adapted);
        return { ...response, said: requireAnswer(name, response, true)?.summary_text ?? '(cut off)' };
      }),
    ),
  );
}
for (const name of STT_PROVIDERS) {
  const { apiKey, defaultModel: model } = config.providers.transcription[name];
  if (apiKey === undefined) continue;
  const audio = new Blob([readFileSync(path)]);
  const mediaType = path.endsWith('.wav') ? 'audio/wav' : 'audio/mpeg';
  const file = { audio, fileName: basename(path), mediaType, durationS: null };
  const job = { id: null, save: () => Promise.resolve() };
  const provider = await stt[name]();
  const request = { ...file, model, channelRoles: null, language: 'Auto-Detect', signal };
  rows.push(
    await row(name, model, () =>
      adapt(provider, request, async (adapted) => {
        const answer = await provider.transcribe(adapted, job);
        return { ...answer, said: answer.transcript.text };
      }),
    ),
  );
}
if (rows.length === 0) console.log('No provider is configured. Set a key, such as OPENAI_API_KEY.');
else console.table(rows);
if (rows.length > 0 && failures === rows.length) process.exitCode = 1;
