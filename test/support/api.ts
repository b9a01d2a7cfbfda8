/** Starts a real API on a free port with the run's PostgreSQL and Temporal, and calls it. */
import { startApi, type RunningApi } from '../../api/start.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { z } from 'zod';
import { ENDPOINTS, type Resource } from '../../contract/endpoints.ts';
import { API_BASE, workspaceBase } from '../../contract/values/constants.ts';
import { keyVariable, STEP_PROVIDERS } from '../../contract/values/providers.ts';
import type { Endpoint, EndpointAnswer } from '../../contract/values/endpoint.ts';
import { errorsOf, ERRORS_OF_ALL } from '../../contract/openapi/problems.ts';
import { closeOpenEnum } from '../../contract/values/schemas.ts';
import { ProblemSchema, type Problem } from '../../contract/errors/problem.ts';
import { readConfig, type Config } from '../../runtime/settings/config.ts';
import type { Environment } from '../../runtime/settings/environment.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import type { Temporal } from '../../runtime/temporal/connect.ts';
import { audioFolder } from './audio.ts';
import { testDatabase } from './database.ts';
import { silentLog } from './log.ts';
import { runnerName } from './run.ts';
import { testTemporal } from './temporal.ts';

// The S3 SDK reads these variables itself.
process.env['AWS_ACCESS_KEY_ID'] = 'key';
process.env['AWS_SECRET_ACCESS_KEY'] = 'secret';

/** Returns a configuration with a key for every provider. `env` overrides it. */
export function testConfig(env: Environment = {}): Config {
  return readConfig(testEnvironment(env));
}

export function testEnvironment(env: Environment = {}): Environment {
  return {
    PORT: '0',
    DATABASE_URL: testDatabase().url,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    TEMPORAL_NAMESPACE: runnerName(),
    JWT_SECRETS: 'a secret of at least thirty-two characters',
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
    AUDIO_URL_ALLOW_HOSTS: '127.0.0.1',
    // Nobody answers there: no test asks a name server that is not its own.
    DNS_SERVERS: '127.0.0.1:1',
    AUDIO_STORE: audioFolder(),
    ...Object.fromEntries(
      STEP_PROVIDERS.filter(({ name }) => name !== 'local').map((provider) => [keyVariable(provider), 'test']),
    ),
    ...env,
  };
}

export interface TestApiOptions {
  env?: Environment;
  /** Changes values of the configuration that have no setting. */
  adjust?: (config: Config) => void;
  temporal?: Temporal;
  log?: Log;
}

export async function startTestApi({
  env,
  adjust,
  temporal,
  log = silentLog,
}: TestApiOptions = {}): Promise<RunningApi> {
  const config = testConfig(env);
  adjust?.(config);
  return startApi({ config, db: testDatabase().db, temporal: temporal ?? (await testTemporal()).temporal, log });
}

export interface SendOptions<E extends Endpoint> {
  token?: string;
  /** ID of the workspace in the path. */
  workspace?: string | undefined;
  params?: Record<string, string>;
  query?: Record<string, string | number | readonly string[]>;
  /** Sent as JSON. Of any type, because most tests of bodies send an invalid one. */
  body?: E['body'] extends undefined ? undefined : unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A response that was checked against the contract. */
export class Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly #value: unknown;

  constructor({ status, headers }: Response, value: unknown) {
    this.status = status;
    this.headers = headers;
    this.#value = value;
  }

  /** The body of a success. Throws for errors. */
  get body(): T {
    if (this.status >= 400) throw new Error(`expected a success, got ${this.status} ${JSON.stringify(this.#value)}`);
    return this.#value as T;
  }

  /** The problem of an error. Throws for successes. */
  get problem(): Problem {
    if (this.status < 400) throw new Error(`expected a problem, got ${this.status}`);
    return this.#value as Problem;
  }

  /** The paths of the problem's errors. */
  get paths(): string[] {
    return this.problem.errors?.map(({ path }) => path) ?? [];
  }
}

type NameIn<R> = R extends object ? keyof R : never;
type Named<Id extends PropertyKey, R = Resource> = R extends { [Name in Id]: infer E } ? E : never;
type Operations = { [Id in NameIn<Resource> as Named<Id> extends Endpoint ? Id : never]: Named<Id> };
type EndpointOf<E> = E extends keyof Operations ? Operations[E] : E extends Endpoint ? E : never;

/** Calls an endpoint, by its operation ID or its declaration, and checks the response against the contract. */
export async function send<const E extends Endpoint | keyof Operations>(
  api: { url: string },
  named: E,
  { token, workspace, params = {}, query = {}, body, headers = {}, signal }: SendOptions<EndpointOf<E>> = {},
): Promise<Answer<EndpointAnswer<EndpointOf<E>>>> {
  const endpoint = typeof named === 'object' ? named : ENDPOINTS.find(({ operationId }) => operationId === named)!;
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(`${api.url}${workspace === undefined ? API_BASE : workspaceBase(workspace)}${path}`);
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) url.searchParams.append(name, String(each));
  const response = await fetch(url, {
    method: endpoint.method.toUpperCase(),
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  return readResponse(response, endpoint);
}

/** Reads a response. Throws if it does not match the endpoint's schema for the status, or the schema of problems. */
async function readResponse<T>(response: Response, endpoint?: Endpoint): Promise<Answer<T>> {
  const mediaType = response.headers.get('content-type')?.split(';')[0];
  if (endpoint?.produces && response.ok && mediaType !== 'application/json') {
    expect(endpoint.produces).to.include(mediaType);
    if (mediaType === 'text/event-stream') await response.body?.cancel();
    else await response.arrayBuffer();
    return new Answer<T>(response, undefined);
  }
  const text = await response.text();
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  const schema = response.status >= 400 ? ProblemSchema : endpoint?.answers[response.status];
  if (endpoint && response.status >= 400) expectDeclared(endpoint, value as Problem);
  if (schema === null) expect(text).to.equal('');
  else if (schema) expectDocumented(schema, value);
  else if (endpoint) throw new Error(`${endpoint.operationId} does not declare the status ${response.status}`);
  return new Answer<T>(response, value);
}

/** Throws if docs/errors.md and the OpenAPI document do not list the error for the endpoint. */
function expectDeclared(endpoint: Endpoint, { code }: Problem): void {
  expect([...errorsOf(endpoint), ...ERRORS_OF_ALL], `errors of ${endpoint.operationId}`).to.include(code);
}

/** Throws if the value has properties or enum values that are not documented. */
function expectDocumented(schema: z.ZodType, value: unknown): void {
  expect(schema.parse(value)).to.deep.equal(value);
  const validate =
    strictValidators.get(schema) ??
    ajv.compile(z.toJSONSchema(schema, { override: ({ jsonSchema }) => closeOpenEnum(jsonSchema) }));
  strictValidators.set(schema, validate);
  if (!validate(value)) throw new Error(`not as documented: ${ajv.errorsText(validate.errors)}`);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const strictValidators = new Map<z.ZodType, ValidateFunction>();

/** Sends a request that the contract does not allow, and does not check the response. */
export async function sendRaw(
  api: { url: string },
  method: string,
  path: string,
  {
    token,
    ...init
  }: { token?: string; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<Answer<unknown>> {
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const headers = { ...authorization, ...init.headers };
  return readResponse(await fetch(`${api.url}${API_BASE}${path}`, { method, ...init, headers }));
}
