/** Calls of the speech-to-text providers as the tests make them. */
import { once } from 'node:events';
import busboy from 'busboy';
import { expect } from 'chai';
import { createSttProviders } from '../../../activities/vendors/stt/index.ts';
import type { SttProvider, SttRequest } from '../../../activities/vendors/stt/provider.ts';
import { VendorError } from '../../../activities/vendors/vendor-error.ts';
import type { VendorJob } from '../../../activities/vendors/record-call.ts';
import { STT_PROVIDERS } from '../../../contract/constants.ts';
import type { SttProviderName } from '../../../contract/constants.ts';
import type { ProviderAccess } from '../../../runtime/config.ts';
import type { ReceivedRequest } from '../../support/receiver.ts';

export interface SttReach {
  /** Base URL of the vendor. */
  baseUrl: string;
  timeoutMs?: number;
  pollMs?: number;
}

export function sttProvider(name: SttProviderName, { baseUrl, timeoutMs = 20_000, pollMs = 5 }: SttReach): SttProvider {
  const access: ProviderAccess = { apiKey: 'test-key', baseUrl, isSimulated: false };
  const providers = Object.fromEntries(STT_PROVIDERS.map((each) => [each, access])) as Record<
    SttProviderName,
    ProviderAccess
  >;
  return createSttProviders({ providers, vendors: { sttTimeoutMs: timeoutMs }, pollMs })[name];
}

/** With every value a byte can have, so that a change on the way would show. */
export const AUDIO = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256));

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

/** A job that remembers what was saved. */
export function memoryJob(id: string | null = null): VendorJob & { saved: string[] } {
  const saved: string[] = [];
  return { id, saved, save: async (submitted) => void saved.push(submitted) };
}

export async function sttFailure(call: Promise<unknown>, provider: SttProviderName): Promise<VendorError> {
  const error = await call.then(
    () => expect.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VendorError)) throw new Error('not a VendorError', { cause: error });
  expect(error.details.provider).to.equal(provider);
  expect(error.message).not.to.contain('secret words');
  return error;
}

export interface ReceivedForm {
  fields: [string, string][];
  files: { field: string; name: string; type: string; bytes: Buffer }[];
}

export async function readForm({ headers, body }: ReceivedRequest): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: [], files: [] };
  const parser = busboy({ headers, defParamCharset: 'utf8' });
  parser.on('field', (name, value) => form.fields.push([name, value]));
  parser.on('file', (field, stream, { filename, mimeType }) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () =>
      form.files.push({ field, name: filename ?? '', type: mimeType, bytes: Buffer.concat(chunks) }),
    );
  });
  parser.end(body);
  await once(parser, 'close');
  return form;
}
