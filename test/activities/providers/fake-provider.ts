/** A fake provider on a real socket, and the service's adapters to call it. */
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createLlmProviders, type LlmProviders } from '../../../activities/providers/llm/index.ts';
import type { LlmRequest } from '../../../activities/providers/llm/provider.ts';
import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import type { LlmProviderName, ProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import type { ProviderAccess } from '../../../runtime/settings/config.ts';
import { startReceiver, type ReceivedRequest } from '../../support/receiver.ts';
import { useStarted } from '../../support/use-started.ts';
import { PROVIDERS, type WireAnswer } from './llm-providers.ts';

export type ProviderBehavior = (response: ServerResponse, request: ReceivedRequest) => void;

export interface FakeServer {
  url: string;
  requests: ReceivedRequest[];
  /** Sets the responses to the next calls. The last one is repeated. */
  behave(...behaviors: ProviderBehavior[]): void;
  stop(): Promise<void>;
}

/** A server that can replace any provider. */
async function startFakeServer(): Promise<FakeServer> {
  let queue: ProviderBehavior[] = [];
  const receiver = await startReceiver((response, request) => {
    const next = queue.length > 1 ? queue.shift() : queue[0];
    if (!next) throw new Error('the test did not say how the provider behaves');
    next(response, request);
  });
  return {
    url: receiver.url,
    requests: receiver.requests,
    behave(...behaviors) {
      queue = behaviors;
      receiver.requests.length = 0;
    },
    stop: () => receiver.stop(),
  };
}

/** Starts a server for the tests of a block. It is ready before the first of them. */
export const useFakeServer = (): FakeServer => useStarted(startFakeServer);

export interface FakeProvider extends FakeServer {
  providers: LlmProviders;
}

async function startFakeProvider(name: LlmProviderName): Promise<FakeProvider> {
  const server = await startFakeServer();
  return { ...server, providers: providersFor(name, server.url, 20_000) };
}

/** Starts a provider for the tests of a block. It is ready before the first of them. */
export const useFakeProvider = (name: LlmProviderName): FakeProvider => useStarted(() => startFakeProvider(name));

/** Returns the error of a call that fails. Checks that the error does not quote the provider. */
export async function providerFailure(call: Promise<unknown>, name: ProviderName): Promise<ProviderError> {
  const error = await call.then(
    () => expect.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error('not a ProviderError', { cause: error });
  expect(error.details.provider).to.equal(name);
  expect(error.message).not.to.contain('secret words');
  return error;
}

/** @param host such as `http://127.0.0.1:1234`. */
export function providersFor(name: LlmProviderName, host: string, timeoutMs: number): LlmProviders {
  const access = (provider: LlmProviderName): ProviderAccess => ({
    apiKey: 'test-key',
    baseUrl: provider === name ? `${host}${PROVIDERS[name].basePath}` : undefined,
    isSimulated: false,
    defaultModel: null,
    models: [],
  });
  const analysis = Object.fromEntries(LLM_PROVIDERS.map((provider) => [provider, access(provider)])) as Record<
    LlmProviderName,
    ProviderAccess
  >;
  return createLlmProviders({ providers: { analysis }, calls: { timeoutMs } });
}

/** Makes one call, as the preferred request. */
export const completeWith = async (llm: LlmProviders, name: LlmProviderName, request: LlmRequest) =>
  (await llm[name]()).complete(request);

export function answerJson(status: number, body: unknown, headers: Record<string, string> = {}): ProviderBehavior {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Returns a valid response, by default with usage. */
export function answerWell(name: LlmProviderName, answer: WireAnswer): ProviderBehavior {
  const row = PROVIDERS[name];
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
