/** The tools of the Model Context Protocol. Each tool calls an endpoint and shortens the response for models. */
import { z } from 'zod';
import { listAssistants } from '../../contract/assistants/assistants.ts';
import type { Endpoint, EndpointAnswer } from '../../contract/values/endpoint.ts';
import { metadataPairs, typeId } from '../../contract/values/schemas.ts';
import { submitTextRequest, submitVoiceRequest } from '../../contract/sessions/requests.ts';
import { getAssistantResults } from '../../contract/service/results.ts';
import { reanalyzeSession } from '../../contract/sessions/session-operations.ts';
import { getSession, listSessions, type Session } from '../../contract/sessions/sessions.ts';
import { getSessionTranscript } from '../../contract/sessions/transcripts.ts';
import { getAttention } from '../../contract/service/attention.ts';
import { getUsage, USAGE_GROUPS } from '../../contract/service/usage.ts';
import { invalidAt } from '../errors.ts';
import { creatorOf, type Caller } from '../guard/authenticate.ts';
import type { RequestParts } from '../http/invoke.ts';
import { hashPayload } from '../requests/idempotency.ts';
import * as cut from './cut.ts';

type Arguments<I extends z.ZodObject> = z.output<I>;

interface Tool<E extends Endpoint, I extends z.ZodObject> {
  name: string;
  description: string;
  /** The endpoint that the tool calls. The tool is available to callers with the endpoint's scope. */
  endpoint: E;
  input: I;
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
  run: (
    args: Arguments<I>,
    call: (parts: RequestParts) => Promise<EndpointAnswer<E>>,
    caller: Caller,
  ) => Promise<Record<string, unknown>>;
}

const READS = { readOnlyHint: true };
/** Hints for tools that create sessions, which cost money, and change no existing objects. */
const ADDS = { readOnlyHint: false, destructiveHint: false };

/** Checks the types of a tool, then removes them. */
const tool = <E extends Endpoint, I extends z.ZodObject>(declared: Tool<E, I>) =>
  declared as unknown as Tool<Endpoint, z.ZodObject>;

/** Clients of the protocol give up after 60 s. */
const MAX_WAIT_S = 50;

const session_id = typeId('sess');
const filters = listSessions.query.shape;

export const TOOLS = [
  tool({
    name: 'list_assistants',
    description: 'Lists assistants with the fields that they extract from conversations.',
    endpoint: listAssistants,
    annotations: READS,
    input: z.object({ cursor: listAssistants.query.shape.cursor }),
    run: ({ cursor }, call) =>
      cut.fittingPage(cut.MAX_ASSISTANTS, async (limit) => cut.assistants(await call({ query: { limit, cursor } }))),
  }),

  tool({
    name: 'search_sessions',
    description: 'Finds sessions (analyzed conversations), newest first. Summaries are shortened.',
    endpoint: listSessions,
    annotations: READS,
    input: z.object({
      q: filters.q,
      status: filters.status,
      type: filters.type,
      assistant_id: filters.assistant_id,
      created_after: filters.created_after,
      created_before: filters.created_before,
      occurred_after: filters.occurred_after,
      occurred_before: filters.occurred_before,
      field: filters.field,
      metadata: metadataPairs().optional().describe('Only sessions whose metadata contains all of these pairs.'),
      reanalysis: z
        .enum(['true', 'false'])
        .default('false')
        .describe('true: reanalyses and trials, instead of originals.'),
      sort: filters.sort,
      cursor: filters.cursor,
      limit: z.int().min(1).max(20).default(10),
    }),
    run: ({ limit: most, ...query }, call) =>
      cut.fittingPage(most, async (limit) =>
        cut.sessions(await call({ query: { ...query, limit, include: 'fields' } })),
      ),
  }),

  tool({
    name: 'get_session',
    description:
      'Returns the result of a session: summary, fields with evidence, roles and cost. Use get_transcript for the conversation.',
    endpoint: getSession,
    annotations: READS,
    input: z.object({
      session_id,
      wait: z.int().min(0).max(MAX_WAIT_S).optional().describe('Maximum seconds to wait for the end of the session.'),
    }),
    run: async ({ session_id: id, wait }, call) => cut.session(await call({ params: { id }, query: { wait } })),
  }),

  tool({
    name: 'get_transcript',
    description:
      `Returns up to ${cut.MAX_TURNS} turns of a conversation, as far as they fit. \`next_turn\` and \`next_character\` are the beginning ` +
      'of the next part; null: this is the last part.',
    endpoint: getSessionTranscript,
    annotations: READS,
    input: z.object({
      session_id,
      from_turn: z.int().min(0).default(0).describe('Number of the first turn. Evidence uses the same numbers.'),
      from_character: z.int().min(0).default(0).describe('Where the first turn begins: `next_character`.'),
      max_turns: z.int().min(1).max(cut.MAX_TURNS).default(cut.MAX_TURNS),
    }),
    run: async ({ session_id: id, ...part }, call) => cut.turns(await call({ params: { id } }), part),
  }),

  tool({
    name: 'count_results',
    description: 'Counts the field values of the sessions of an assistant in a period.',
    endpoint: getAssistantResults,
    annotations: READS,
    input: z.object({ assistant_id: typeId('asst'), ...getAssistantResults.query.shape }),
    run: async ({ assistant_id: id, ...query }, call) => cut.results(await call({ params: { id }, query })),
  }),

  tool({
    name: 'get_attention',
    description:
      'Lists what needs attention: unavailable providers, failed sessions and deliveries, storage and budget.',
    endpoint: getAttention,
    annotations: READS,
    input: getAttention.query,
    run: async (query, call) => ({ data: (await call({ query })).data }),
  }),

  tool({
    name: 'get_usage',
    description: 'Returns usage and cost in US dollars of a period, as many rows as fit.',
    endpoint: getUsage,
    annotations: READS,
    input: z.object({
      from: getUsage.query.shape.from,
      to: getUsage.query.shape.to,
      group_by: z.enum(USAGE_GROUPS).default('assistant'),
    }),
    run: async (query, call) => cut.usage(await call({ query })),
  }),

  tool({
    name: 'submit_text',
    description:
      'Analyzes a dialogue in a new session, which costs money. Read the result with get_session and `wait`. The same ' +
      'arguments return the same session for 24 hours.',
    endpoint: submitTextRequest,
    annotations: { ...ADDS, idempotentHint: true },
    input: z.object(submitTextRequest.body.shape),
    run: async (body, call, caller) =>
      cut.session(await call({ headers: onlyOnce('submit_text', body, caller), body })),
  }),

  tool({
    name: 'submit_recording_url',
    description:
      'Downloads, transcribes and analyzes a recording in a new session, which costs money. Read the result with ' +
      'get_session and `wait`. The same arguments return the same session for 24 hours.',
    endpoint: submitVoiceRequest,
    annotations: { ...ADDS, idempotentHint: true },
    // Without `audio_headers`: a model should see no credentials of other services.
    input: z.object(submitVoiceRequest.body.omit({ audio_headers: true }).shape),
    run: async (body, call, caller) =>
      cut.session(await call({ headers: onlyOnce('submit_recording_url', body, caller), body })),
  }),

  tool({
    name: 'try_settings',
    description:
      'Analyzes the conversation of a session again with other settings, as a trial that sends no webhook. Costs money: ' +
      'refused if the maximum estimated cost is above `max_cost_usd` or unknown. Read the result with get_session and `wait`.',
    endpoint: reanalyzeSession,
    annotations: ADDS,
    input: z.object({
      session_id,
      max_cost_usd: z.number().positive().max(100),
      ...reanalyzeSession.body.omit({ trial: true, dry_run: true }).shape,
    }),
    run: async ({ session_id: id, max_cost_usd, ...overrides }, call) => {
      const body = { ...overrides, trial: true };
      const estimate = await call({ params: { id }, body: { ...body, dry_run: true } });
      requireWithin(max_cost_usd, 'max_cost_usd' in estimate ? estimate.max_cost_usd : null);
      return cut.session((await call({ params: { id }, headers: { prefer: 'respond-async' }, body })) as Session);
    },
  }),
];

/** Returns an idempotency key. If a client repeats a call because the response was lost, it gets the first session. */
function onlyOnce(name: string, args: unknown, caller: Caller) {
  const key = hashPayload([name, creatorOf(caller), args]).toString('base64url');
  return { prefer: 'respond-async', 'idempotency-key': `mcp-${key}` };
}

function requireWithin(allowed: number, highest: number | null): void {
  if (highest !== null && highest <= allowed) return;
  throw highest === null
    ? invalidAt('max_cost_usd', 'cost_unknown:check')
    : invalidAt('max_cost_usd', 'cost_minimum', { min: highest });
}
