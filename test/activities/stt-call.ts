/** Calls of the speech-to-text providers as the tests make them. */
import { expect } from 'chai';
import { createSttProviders } from '../../activities/stt/index.ts';
import type { SttProvider, SttRequest } from '../../activities/stt/provider.ts';
import { VendorError } from '../../activities/vendor-error.ts';
import type { VendorJob } from '../../activities/ledger.ts';
import { STT_PROVIDERS } from '../../contract/constants.ts';
import type { SttProviderName } from '../../contract/constants.ts';
import type { ProviderAccess } from '../../runtime/config.ts';
import type { ReceivedRequest } from '../support/receiver.ts';

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

/** The multipart body of a request, read by the platform and not by what sent it. */
export async function readForm({ headers, body }: ReceivedRequest): Promise<ReceivedForm> {
  const response = new Response(new Uint8Array(body), { headers: { 'Content-Type': headers['content-type'] ?? '' } });
  const form: ReceivedForm = { fields: [], files: [] };
  for (const [field, value] of await response.formData()) {
    if (typeof value === 'string') form.fields.push([field, value]);
    else {
      const { name, type } = value;
      form.files.push({ field, name, type, bytes: Buffer.from(await value.arrayBuffer()) });
    }
  }
  return form;
}
