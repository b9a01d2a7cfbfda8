/** A vendor on a real socket, and the service's own provider that calls it. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { createLlmProviders } from '../../../activities/vendors/llm/index.ts';
import type { LlmProviders } from '../../../activities/vendors/llm/index.ts';
import type { LlmProvider } from '../../../activities/vendors/llm/provider.ts';
import { LLM_PROVIDERS } from '../../../contract/constants.ts';
import type { LlmProviderName } from '../../../contract/constants.ts';
import type { ProviderAccess } from '../../../runtime/config.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { ReceivedRequest } from '../../support/receiver.ts';
import { VENDORS } from './llm-vendors.ts';
import type { WireAnswer } from './llm-vendors.ts';

export type VendorBehaviour = (response: ServerResponse, request: ReceivedRequest) => void;

export interface FakeServer {
  url: string;
  requests: ReceivedRequest[];
  /** What the next calls meet, one each; the last one stays. */
  behave(...behaviours: VendorBehaviour[]): void;
  stop(): Promise<void>;
}

/** Of any vendor. */
export async function startFakeServer(): Promise<FakeServer> {
  let queue: VendorBehaviour[] = [];
  const receiver = await startReceiver((response, request) => {
    const next = queue.length > 1 ? queue.shift() : queue[0];
    if (!next) throw new Error('the test did not say how the vendor behaves');
    next(response, request);
  });
  return {
    url: receiver.url,
    requests: receiver.requests,
    behave(...behaviours) {
      queue = behaviours;
      receiver.requests.length = 0;
    },
    stop: () => receiver.stop(),
  };
}

export interface FakeVendor extends FakeServer {
  providers: LlmProviders;
  provider: LlmProvider;
  /** With a time-out of its own. */
  providerWithin(timeoutMs: number): LlmProvider;
}

export async function startFakeVendor(name: LlmProviderName): Promise<FakeVendor> {
  const server = await startFakeServer();
  const providersAt = (timeoutMs: number) => providersFor(name, server.url, timeoutMs);
  const providers = providersAt(20_000);
  return {
    ...server,
    providers,
    provider: providers[name],
    providerWithin: (timeoutMs) => providersAt(timeoutMs)[name],
  };
}

/** @param host such as `http://127.0.0.1:1234`. */
export function providersFor(name: LlmProviderName, host: string, timeoutMs: number): LlmProviders {
  const access = (provider: LlmProviderName): ProviderAccess => ({
    apiKey: 'test-key',
    baseUrl: provider === name ? `${host}${VENDORS[name].basePath}` : undefined,
    isSimulated: false,
  });
  const providers = Object.fromEntries(LLM_PROVIDERS.map((provider) => [provider, access(provider)])) as Record<
    LlmProviderName,
    ProviderAccess
  >;
  return createLlmProviders({ providers, vendors: { timeoutMs } });
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function answerJson(status: number, body: unknown, headers: Record<string, string> = {}): VendorBehaviour {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** A well-formed answer, with usage unless it says otherwise. */
export function answerWell(name: LlmProviderName, answer: WireAnswer): VendorBehaviour {
  const row = VENDORS[name];
  return answerJson(
    200,
    row.answer({ usage: row.usage.wire, ...answer }),
    row.requestIdHeader === undefined ? {} : { [row.requestIdHeader]: 'call-1' },
  );
}

export const ANALYSIS = {
  summary_text: 'A parcel is late.',
  topics: ['delivery'],
  sentiment: 'negative',
  action_items: ['trace the parcel'],
  findings: [],
};
