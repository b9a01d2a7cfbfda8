/** Calls speech-to-text providers for tests. */
import { once } from 'node:events';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { createMemory } from '../../../activities/providers/policy/negotiate.ts';
import { createSttProviders, type SttProviders } from '../../../activities/providers/stt/index.ts';
import type { SttProvider, SttRequest } from '../../../activities/providers/stt/provider.ts';
import type { ProviderJob } from '../../../activities/providers/policy/record-call.ts';
import type { SttProviderName } from '../../../contract/values/constants.ts';
import { STT_PROVIDERS } from '../../../contract/values/providers.ts';
import type { ProviderAccess } from '../../../runtime/settings/config.ts';
import type { ReceivedRequest } from '../../support/receiver.ts';

export interface SttReach {
  /** Base URL of the provider. */
  baseUrl: string;
  timeoutMs?: number;
  pollMs?: number;
}

/** Loads a provider that has no memory of refusals. */
export function loadStt(name: SttProviderName, { baseUrl, timeoutMs = 20_000, pollMs = 5 }: SttReach) {
  const access: ProviderAccess = { apiKey: 'test-key', baseUrl, isSimulated: false, defaultModel: null, models: [] };
  const transcription = Object.fromEntries(STT_PROVIDERS.map((each) => [each, access])) as Record<
    SttProviderName,
    ProviderAccess
  >;
  return createSttProviders({ providers: { transcription }, calls: { sttTimeoutMs: timeoutMs }, pollMs })[name]();
}

/** Returns a provider that is loaded with its first call. */
export function sttProvider(name: SttProviderName, reach: SttReach): Pick<SttProvider, 'transcribe'> {
  const loaded = loadStt(name, reach);
  return { transcribe: async (request, job) => (await loaded).transcribe(request, job) };
}

/** Returns loaded providers that refuse no parameter. */
export const loadedStt = (providers: Record<string, Pick<SttProvider, 'transcribe'>>) =>
  Object.fromEntries(
    Object.entries(providers).map(([name, provider]) => [
      name,
      async () => ({ ...provider, parametersOf: () => ({}), memory: createMemory() }),
    ]),
  ) as unknown as SttProviders;

/** Contains every byte value, to detect changes during transfer. */
export const AUDIO = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));

export const sttRequest = (fields: Partial<SttRequest> = {}): SttRequest => ({
  audio: new Blob([AUDIO]),
  fileName: 'call.wav',
  mediaType: 'audio/wav',
  durationS: 42,
  model: null,
  channelRoles: null,
  language: 'Auto-Detect',
  signal: new AbortController().signal,
  ...fields,
});

/** Returns a job that records what is saved. */
export function memoryJob(id: string | null = null): ProviderJob & { saved: string[] } {
  const saved: string[] = [];
  return { id, saved, save: async (submitted) => void saved.push(submitted) };
}

export interface ReceivedForm {
  fields: [string, string][];
  files: { field: string; name: string; type: string; bytes: Buffer }[];
}

export async function readForm({ headers, body }: ReceivedRequest): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: [], files: [] };
  const parser = new Busboy({ headers: headers as BusboyHeaders });
  parser.on('field', (name, value) => form.fields.push([name, value]));
  parser.on('file', (field, stream, name, _encoding, type) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => form.files.push({ field, name, type, bytes: Buffer.concat(chunks) }));
  });
  parser.end(body);
  await once(parser, 'finish');
  return form;
}
