/** The OpenAPI 3.1 document, generated from the endpoint declarations. Committed as docs/openapi.json. */
import {
  createDocument,
  type oas32,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { API_BASE, workspaceBase } from '../values/constants.ts';
import type { Endpoint } from '../values/endpoint.ts';
import { closeOpenEnum } from '../values/schemas.ts';
import { FieldEvidenceSchema, FieldProblemSchema, ScoreSchema } from '../fields/result-fields.ts';
import { addExamples, type Schemas } from './add-examples.ts';
import { RateLimitHeader, RateLimitPolicyHeader, RequestIdHeader, RequestIdParameter } from './headers.ts';
import { toOperation } from './operations.ts';
import { makePortable } from './portable-schemas.ts';
import { toProblemResponses } from './problems.ts';
import { toWebhooks } from './webhooks.ts';

const DESCRIPTION = `
Analyzes voice and text conversations with language models and sends the results to webhooks.

**Get started** with *Register an account*, then *Create an API token*, *Create an assistant* and *Analyze a dialogue*.

**Authentication.** Send \`Authorization: Bearer <token>\` with an API token or a login token, except to register and log in. The web
console of the same origin uses a cookie.

**Errors** are \`application/problem+json\` (RFC 9457): \`code\` for programs, \`detail\` for people, every invalid field in
\`errors\`, and \`request_id\`, which \`X-Request-Id\` also contains. Every path can also return 405 with \`Allow\`, 408 for a request
that arrives too slowly, 421 for an unknown host name, and 431 for headers over 16 KiB.

**Waiting.** Submitting a conversation returns its result. To wait less, send \`Prefer: respond-async\` or \`wait=N\`: the response is then
202 with the path of the session. The analysis continues even if the client disconnects.

**Lists** return \`data\` and \`next_cursor\`, newest first.

**Compatibility.** Unknown fields and query parameters are refused. Releases may add properties and values of enumerations to responses and
webhooks, so clients must accept both. Enumerations of responses are therefore strings whose values are in the description and in
\`x-extensible-enum\`. For OpenAPI Generator, set \`disallowAdditionalPropertiesIfNotPresent=false\`. oapi-codegen and openapi-python-client
need no option.
`.trim();

const TAGS: Record<Endpoint['tag'] | 'Webhooks', string> = {
  Account: 'Register, log in, and manage the account.',
  Workspaces: 'Workspaces, and the people in them.',
  'API tokens': 'Tokens for programs.',
  Assistants: 'How conversations are analyzed: provider, model, instructions and webhook.',
  Requests: 'Submit conversations for analysis.',
  Sessions: 'Submitted conversations and their results.',
  Batches: 'One action on all sessions that match a filter, with an estimate, progress and a comparison.',
  'Shared links': 'Read-only links to one session or one experiment, without a login.',
  Deliveries: 'Webhooks that were sent, with every attempt.',
  Usage: 'Usage, cost and statistics.',
  Events: 'A stream of changes.',
  Service: 'Information about the installation.',
  Webhooks: 'Requests that the service sends to you.',
};

/** Returns the document of these endpoints and the webhooks. */
export function toOpenApi(endpoints: readonly Endpoint[]): oas32.OpenAPIObject {
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints.toSorted(byPlace)) {
    (paths[endpoint.path] ??= {})[endpoint.method] = toOperation(endpoint, endpoints, responses);
  }
  toProblemResponses(['method_not_allowed', 'request_timeout', 'headers_too_large'], responses);
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Conversation Analysis Service',
        summary: 'Transcribes and analyzes voice and text conversations.',
        description: DESCRIPTION,
        version: '1.0.0',
      },
      servers: [
        { url: API_BASE, description: 'Your default workspace, or the workspace of your API token.' },
        {
          url: workspaceBase('{workspace_id}'),
          description: 'Another workspace. Returns 404 if you are not a member.',
          variables: { workspace_id: { default: 'ws_01kaj4v5rzf1xtm8w3b2c9d0e7' } },
        },
      ],
      security: [{ bearer: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      webhooks: toWebhooks(),
      components: {
        // Parts of `raw_response`, which can be any object. Clients get their types from here.
        schemas: { FieldEvidence: FieldEvidenceSchema, FieldProblem: FieldProblemSchema, Score: ScoreSchema },
        responses: sorted(responses),
        parameters: { RequestId: RequestIdParameter },
        headers: { RequestId: RequestIdHeader, RateLimit: RateLimitHeader, RateLimitPolicy: RateLimitPolicyHeader },
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API token (`cas_…`) or a login token.' },
          webhookSecret: { type: 'http', scheme: 'bearer', description: "The assistant's `webhook_secret`." },
        },
      },
    },
    { override: tidySchema },
  );
  const schemas = sorted(document.components?.schemas ?? {});
  for (const paths of [document.paths, document.webhooks]) {
    for (const path of Object.values(paths ?? {}) as Record<string, oas32.OperationObject>[]) {
      for (const operation of Object.values(path)) addExamples(operation, schemas as Schemas);
    }
  }
  const complete = { ...document, components: { ...document.components, schemas } };
  makePortable(complete);
  return complete;
}

const TAG_ORDER = Object.keys(TAGS);
const METHOD_ORDER = ['get', 'post', 'put', 'patch', 'delete'];

function byPlace(a: Endpoint, b: Endpoint): number {
  return (
    TAG_ORDER.indexOf(a.tag) - TAG_ORDER.indexOf(b.tag) ||
    a.path.localeCompare(b.path, 'en') ||
    METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method)
  );
}

const sorted = <T>(record: Record<string, T>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Removes noise from a schema. */
const tidySchema: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.minLength === 0) delete jsonSchema.minLength;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  closeOpenEnum(jsonSchema);
  // Responses may get new fields, which clients must not reject.
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
};
