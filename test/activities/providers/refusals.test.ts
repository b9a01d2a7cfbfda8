/** What providers, gateways and proxies say about an error, in the shapes that they publish and that users report. */
import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import { ANSWER_SCHEMA } from '../../../activities/providers/llm/answer-schema.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../../contract/values/providers.ts';
import { answerJson, providerFailure, completeWith, providersFor, useFakeServer } from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';
import { memoryJob, sttProvider, sttRequest } from './stt-call.ts';

const open = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });
const PAGE = '<!DOCTYPE html><html><head><title>Models and deployments</title></head></html>';

const isLlm = (name: string): name is LlmProviderName => (LLM_PROVIDERS as readonly string[]).includes(name);

describe('An error reply of every provider', () => {
  const server = useFakeServer();
  const calls = [
    ...LLM_PROVIDERS.map((name) => ['analysis', name] as const),
    ...STT_PROVIDERS.map((name) => ['transcription', name] as const),
  ];

  /** Returns a function that calls the provider. */
  const callerOf = (step: string, name: (typeof calls)[number][1]): (() => Promise<unknown>) => {
    if (step === 'transcription' || !isLlm(name)) {
      const recognizer = sttProvider(name as (typeof STT_PROVIDERS)[number], { baseUrl: server.url });
      return () => recognizer.transcribe(sttRequest(), memoryJob());
    }
    const prompt = { system: 's', user: 'u', schema: ANSWER_SCHEMA, temperature: null, maxOutputTokens: 100 };
    const llm = providersFor(name, server.url, 20_000);
    const { signal } = new AbortController();
    return () => completeWith(llm, name, { ...prompt, model: PROVIDERS[name].model, signal });
  };

  for (const [step, name] of calls) {
    it(`of ${name} in the ${step} names what a person has to change, and stops no other session`, async () => {
      for (const [status, body, message] of [
        [401, {}, /refused the API key \(HTTP 401\): check [A-Z_]+_API_KEY/],
        [413, {}, /refused the (prompt as too long|recording as too large) \(HTTP 413\): (shorten|send)/],
        [404, '404 page not found', /\(HTTP 404\): check [A-Z_]+_BASE_URL/],
        [403, PAGE, /\(HTTP 403\): check [A-Z_]+_BASE_URL and HTTPS_PROXY/],
        [503, '<html><title>Just a moment...</title></html>', /\(HTTP 503\): check [A-Z_]+_BASE_URL and HTTPS_PROXY/],
        [403, open('x', { code: 'unsupported_country_region_territory' }), /country or region.*_BASE_URL/],
        [
          200,
          { error: { code: 402, message: 'Insufficient credits' } },
          /no credit left for this account \(HTTP 402\): add/,
        ],
        [400, open('x', { code: 'content_filter' }), /declined to process this content \(HTTP 400\): change/],
        [
          400,
          open('The model was retired', { code: 'model_deprecated' }),
          /does not offer this model \(HTTP 400\): choose/,
        ],
        [400, open('This model only support stream mode', { param: 'stream' }), /invalid \(HTTP 400\): see the code/],
      ] as const) {
        server.behave(answerJson(status, body, status === 503 ? { 'cf-mitigated': 'challenge' } : {}));
        const error = await providerFailure(callerOf(step, name)(), name);
        expect(error.message).to.match(message);
        expect(error.isOutage, error.message).to.equal(false);
        expect(server.requests).to.have.length(1);
      }
    });

    it(`of ${name} in the ${step} is stored with the ID of its request, by any name`, async () => {
      for (const header of [
        'apim-request-id',
        'mistral-correlation-id',
        'x-generation-id',
        'x-ds-trace-id',
        'x-trace-id',
        'x-ms-request-id',
        'x-litellm-call-id',
      ]) {
        server.behave(answerJson(400, open('no', { param: 'stream', code: 'c1' }), { [header]: 'id-1' }));
        const { details } = await providerFailure(callerOf(step, name)(), name);
        expect(details.providerRequestId, header).to.equal('id-1');
        expect(details.refusal).to.deep.equal({ code: 'c1', type: 'invalid_request_error', param: 'stream' });
      }
      for (const body of [
        { ...open('no'), request_id: 'id-2' },
        open('no', { request_id: 'id-2' }),
        { requestId: 'id-2' },
      ]) {
        server.behave(answerJson(400, body));
        expect((await providerFailure(callerOf(step, name)(), name)).details.providerRequestId).to.equal('id-2');
      }
    });

    it(`of ${name} in the ${step} is a ProviderError, whatever its shape`, async () => {
      const call = callerOf(step, name);
      for (let seed = 1; seed <= 150; seed++) {
        const { status, body } = oddReply(seed);
        server.behave((response) => {
          response.writeHead(status, { 'Content-Type': 'text/odd' }).end(body);
        });
        const thrown = await call().catch((error: unknown) => error);
        if (thrown instanceof Error && !(thrown instanceof ProviderError))
          throw new Error(`${status} ${body}`, { cause: thrown });
      }
    });
  }
});

/** Returns a random reply made of the members that adapters read, with values of every type. */
function oddReply(seed: number): { status: number; body: string } {
  let state = seed * 2_654_435_761;
  const next = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const NAMES =
    'error choices message content candidates parts text finish_reason usage prompt_tokens total_tokens cost code type param detail words segments transcripts diarization transcript status id model data usageMetadata promptFeedback stop_reason delta service_tier language duration'.split(
      ' ',
    );
  const value = (depth: number): unknown => {
    const kind = next(depth > 4 ? 7 : 10);
    if (kind < 7) return [null, '', 'text', -1, 1e300, true, '{"error":{"code":429}}'][kind];
    if (kind === 7) return Array.from({ length: next(3) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: next(5) }, () => [pick(NAMES), value(depth + 1)]));
  };
  const json = JSON.stringify(value(0));
  const wrap = pick([
    (text: string) => text,
    (text: string) => `data: ${text}\n\ndata: [DONE]\n\n`,
    (text: string) => `: comment\n\n${text}`,
    (text: string) => text.slice(0, -1),
    (text: string) => `<html>${text}</html>`,
    (text: string) => `[${text},${text}]`,
  ]);
  return { status: pick([200, 200, 200, 201, 400, 401, 403, 404, 422, 429, 500, 503, 599]), body: wrap(json) };
}
