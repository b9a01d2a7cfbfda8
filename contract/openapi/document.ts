/** The OpenAPI 3.1 document, made of the declarations that the router serves. Checked in as docs/openapi.json. */
import { createDocument } from 'zod-openapi';
import type { oas32, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { API_BASE } from '../constants.ts';
import type { Endpoint } from '../endpoint.ts';
import { FieldEvidenceSchema, FieldProblemSchema } from '../result-fields.ts';
import { addExamples } from './add-examples.ts';
import type { Schemas } from './add-examples.ts';
import { RateLimitHeader, RateLimitPolicyHeader, RequestIdHeader, RequestIdParameter } from './headers.ts';
import { tidySchema } from './tidy-schema.ts';
import { toOperation } from './operations.ts';
import { toProblemResponses } from './problems.ts';
import { toWebhooks } from './webhooks.ts';

const DESCRIPTION = `
Analyzes voice and text conversations with language models, durably, and posts the results to webhooks.

**Start** with *Register an account*, then *Create an API token*, *Create an assistant* and *Analyze a dialogue*.

**Authentication.** \`Authorization: Bearer <token>\` with an API token or a login token, everywhere but on register and login.
The web console of the same origin has a cookie instead, which no other page can use.

**Errors** are \`application/problem+json\` (RFC 9457) with a \`code\` to branch on, a \`detail\` to read, every invalid field
in \`errors\`, and the \`request_id\` that is also in \`X-Request-Id\`. Any path can answer 405 with \`Allow\`, 408 to a request that
arrives too slowly and 431 to headers over 16 KiB, in the same form.

**Waiting.** A submitted conversation is answered with its result. \`Prefer: respond-async\` or \`wait=N\` answers earlier, with 202 and
where the session is found; the analysis goes on, also if the client hangs up.

**Lists** answer \`data\` and \`next_cursor\`, newest first. Unknown fields and query parameters are refused; answers may
get new fields.
`.trim();

const TAGS: Record<Endpoint['tag'] | 'Webhooks', string> = {
  Account: 'Register, log in, and who one is.',
  'API tokens': 'Tokens for programs. Each is shown once, when it is made.',
  Assistants: 'How conversations are analyzed: provider, model, instructions, and where results are posted.',
  Requests: 'Submit conversations for analysis.',
  Sessions: 'Submitted conversations and their results.',
  Batches: 'One action over all sessions of a filter, with an estimate, a progress and a comparison.',
  Deliveries: 'What was posted to webhooks, every attempt of it.',
  Usage: 'What was used and spent.',
  Events: 'What changes, as it happens.',
  Service: 'What this installation is and can do.',
  Webhooks: 'What the service posts to you.',
};

/** Returns the document that describes these endpoints and the webhooks. */
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
        summary: 'Voice and text conversations in, summaries out.',
        description: DESCRIPTION,
        version: '1.0.0',
      },
      servers: [{ url: API_BASE, description: 'Where this document was served from.' }],
      security: [{ bearer: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      webhooks: toWebhooks(),
      components: {
        // Parts of `raw_response`, which itself may be any object: clients have their types from here.
        schemas: { FieldEvidence: FieldEvidenceSchema, FieldProblem: FieldProblemSchema },
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
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path) as oas32.OperationObject[]) addExamples(operation, schemas as Schemas);
  }
  return { ...document, components: { ...document.components, schemas } };
}

const TAG_ORDER = Object.keys(TAGS);
const METHOD_ORDER = ['get', 'post', 'put', 'patch', 'delete'];

/** Compares two endpoints by their place in a reference: by tag, path and method. */
function byPlace(a: Endpoint, b: Endpoint): number {
  return (
    TAG_ORDER.indexOf(a.tag) - TAG_ORDER.indexOf(b.tag) ||
    a.path.localeCompare(b.path, 'en') ||
    METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method)
  );
}

const sorted = <T>(record: Record<string, T>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
