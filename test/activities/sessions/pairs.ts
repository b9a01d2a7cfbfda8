/** A worker's transcriptions, with PostgreSQL behind a proxy, and doubles of two providers and of the recognizer on sockets. */
import type { ServerResponse } from 'node:http';
import { ActivityCancellationDetails, ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import { Model } from 'objection';
import { errorOfCause } from '../../../activities/providers/policy/provider-error.ts';
import { createProviderBulkheads } from '../../../activities/providers/policy/provider-bulkheads.ts';
import { createSttProviders } from '../../../activities/providers/stt/index.ts';
import { createEndSession } from '../../../activities/sessions/end-session.ts';
import type { AssistantColumns, AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { connectDatabase, isDatabaseUnavailable } from '../../../db/connect.ts';
import { createRecognizer } from '../../../redaction/recognizer.ts';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { toSessionError } from '../../../workflows/step-failures.ts';
import { testConfig } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { testDatabase } from '../../support/database.ts';
import { createAssistant, createOwner, VOICE } from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import { redactionDeps } from '../../support/redaction.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { ledgerOf } from './analysis.ts';
import { newEnvironment, transcriptionWith } from './steps.ts';

export type Provider = 'aisha' | 'whisper';
type RequestKind = 'post' | 'poll';

/** What a double does with a request. `send` answers it; an answered recording is paid for. */
type Play = (response: ServerResponse, send: () => void) => unknown;

/** The name that redaction must remove. */
export const NAME = 'Ada';
const TEXT = `I am ${NAME}.`;
const AISHA = { step: 'transcription', provider: 'aisha' } as const;
const SESSION_ID = /sess_[0-7][0-9a-z]{25}/;

const sendJson = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

export const accept: Play = (_response, send) => send();
export const refuse: Play = (response) => sendJson(response, { detail: 'down' }, 503);
export const reset: Play = (response) => response.socket?.resetAndDestroy();

export type Doubles = Awaited<ReturnType<typeof startDoubles>>;

/** Starts the servers that the workers of a file share. */
export async function startDoubles() {
  const plays = new Map<string, Play>();
  const paid: [Provider, string][] = [];
  const jobs = new Map<string, string>();
  const recognizer: { play: (response: ServerResponse, send: () => void, text: string) => unknown } = { play: accept };

  const startProvider = (provider: Provider) =>
    startReceiver((response, { path, body }) => {
      const job = /get\/(\d+)/.exec(path)?.[1];
      const session = (job === undefined ? SESSION_ID.exec(body.toString('latin1'))?.[0] : jobs.get(job)) ?? '';
      const send = () => {
        if (job === undefined) paid.push([provider, session]);
        if (!path.includes('/v2/') || job !== undefined) {
          return sendJson(response, { id: 7, status: 'SUCCESS', text: TEXT, transcript: TEXT, duration: 2 });
        }
        const id = String(jobs.size + 1);
        jobs.set(id, session);
        return sendJson(response, { id }, 202);
      };
      const kind: RequestKind = job === undefined ? 'post' : 'poll';
      (plays.get(`${provider} ${kind} ${session}`) ?? accept)(response, send);
    });

  const [aisha, whisper] = [await startProvider('aisha'), await startProvider('whisper')];
  const names = await startReceiver((response, { body }) => {
    const { text } = JSON.parse(body.toString()) as { text: string };
    const start = text.indexOf(NAME);
    const hits = start < 0 ? [] : [{ entity_type: 'PERSON', start, end: start + NAME.length, score: 1 }];
    recognizer.play(response, () => sendJson(response, hits), text);
  });
  const url = new URL(testDatabase().url);
  const proxy = await startTcpProxy({ port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  const { db: direct } = testDatabase();
  const db = connectDatabase({ url: url.href, poolMax: 1 });
  const { pool } = db.client as { pool: { on(event: 'createFail', listener: () => void): void } };
  return {
    urls: { aisha: aisha.url, whisper: `${whisper.url}/v1`, names: names.url },
    recognizer,
    paidFor: ({ id }: SessionModel) => paid.flatMap(([provider, session]) => (session === id ? provider : [])),
    on: (provider: Provider, { id }: SessionModel, play: Play, kind: RequestKind = 'post') =>
      void plays.set(`${provider} ${kind} ${id}`, play),
    /** Refuses connections to the database. `met` resolves when one is refused. */
    async breakDatabase() {
      const met = new Promise<void>((resolve) => pool.on('createFail', resolve));
      await proxy.refuse();
      return { met, end: () => proxy.pass() };
    },
    async stop() {
      Model.knex(direct);
      await db.destroy();
      await Promise.all([aisha, whisper, names, proxy].map((server) => server.stop()));
    },
  };
}

export interface WorkerOptions {
  /** Calls at once to one provider. With 2, one call uses the share of a workspace. */
  slots?: number;
  /** Pause before a call tests an open circuit. Default: the circuit stays open. */
  pauseMs?: number;
  /** Time limit of a transcription. */
  timeoutMs?: number;
}

export interface NewSession {
  fallback?: boolean;
  /** Whether Aisha runs the transcription as a job. */
  job?: boolean;
  redaction?: boolean;
  provider?: Provider | undefined;
  budget?: number;
  /** A session of the same workspace; default: of a new workspace. */
  sibling?: SessionModel;
}

const fieldsOf = ({ fallback, redaction, provider = 'aisha' }: NewSession): Partial<AssistantColumns> => ({
  ...VOICE,
  stt_provider: provider,
  stt_model: provider === 'aisha' ? null : 'whisper-1',
  fallback: fallback ? { llm_provider: null, llm_model: null, stt_provider: 'whisper', stt_model: 'whisper-1' } : null,
  redaction: redaction ? { entities: ['name'], originals: 'discard', keep_audio: false } : null,
});

/** Creates a session whose ID the doubles find in the file name of the recording. */
export async function newSession(options: NewSession = {}): Promise<SessionModel> {
  const { sibling, budget, job } = options;
  const assistant: AssistantModel = sibling
    ? await createAssistant(sibling.workspace_id, fieldsOf(options))
    : (await createOwner(fieldsOf(options))).assistant;
  if (budget !== undefined) {
    await WorkspaceModel.query().findById(assistant.workspace_id).patch({ monthly_budget_usd: budget });
  }
  const session = await createVoiceSession(assistant, { conversation: null });
  const audio = { ...session.audio!, file_name: `${session.id}.mp3`, ...(job && { duration_s: 300 }) };
  return SessionModel.query().patchAndFetchById(session.id, { audio });
}

export interface Attempt {
  shutDown(): void;
  cancel(): void;
  cancelInShutdown(): void;
  /** Resolves with the status that the step returned, or with the kind of its failure. */
  ended: Promise<string>;
}

/** Creates a worker with bulkheads of its own. Every call costs one US dollar. */
export function createWorker(doubles: Doubles, { slots = 10, pauseMs = 60_000, timeoutMs = 20_000 }: WorkerOptions) {
  const bulkheads = createProviderBulkheads(slots, { initialMs: pauseMs, maxMs: pauseMs });
  const circuit = bulkheads.circuitOf(AISHA);
  // Begun while the circuit is closed.
  const begun = ['one', 'other'].map((session) => circuit.begin(session));
  const { providers } = testConfig({ AISHA_BASE_URL: doubles.urls.aisha, WHISPER_BASE_URL: doubles.urls.whisper });
  const { redactor, secrets } = redactionDeps();
  const fetch = createProviderFetch(1_000_000, null);
  const recognizer = createRecognizer({ url: doubles.urls.names, languages: ['en'], fetch, pauseMs: 1 });
  const outcomes = new Map<string, string[]>();
  const endSession = createEndSession({ client: {} as Client });
  const deps = {
    priceOf: (_provider: unknown, _model: unknown, usage: unknown) => usage && 1,
    bulkheads,
    redactor: { ...redactor, recognizer },
    secrets,
    sttTimeoutMs: timeoutMs,
    stt: createSttProviders({ providers, calls: { sttTimeoutMs: timeoutMs }, pollMs: 5 }),
  };

  /** Ends the session as its workflow does. */
  async function outcomeOf(session_id: string, error: unknown): Promise<string> {
    if (error instanceof CancelledFailure) {
      await endSession({ session_id, end: { status: 'canceled' } });
      return 'canceled';
    }
    if (isDatabaseUnavailable(error)) return 'no database';
    if (!(error instanceof ApplicationFailure)) throw error;
    const failure = toSessionError(error, 'transcription');
    if (error.nonRetryable) await endSession({ session_id, end: { status: 'failed', error: failure } });
    return error.type ?? '';
  }

  function start({ id, workspace_id, assistant }: SessionModel): Attempt {
    const environment = newEnvironment();
    // The fallback is used after the first failure.
    const activity = transcriptionWith({ ...deps, retryWindowMs: assistant.fallback ? 0 : 600_000 } as never);
    const input = { session_id: id, type: 'voice', caller: { payer: workspace_id, is_awaited: false } } as const;
    const ended = environment
      .run<[typeof input], { status: string }, typeof activity>(activity, input)
      .then(
        ({ status }) => status,
        (error: unknown) => outcomeOf(id, error),
      )
      .then((outcome) => {
        outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
        return outcome;
      });
    const stop = (reason: string, details: object) =>
      environment.cancel(reason as 'CANCELLED', new ActivityCancellationDetails(details));
    return {
      shutDown: () => stop('WORKER_SHUTDOWN', { workerShutdown: true }),
      cancel: () => stop('CANCELLED', { cancelRequested: true }),
      cancelInShutdown: () => stop('CANCELLED', { cancelRequested: true, workerShutdown: true }),
      ended,
    };
  }

  async function attempt(session: SessionModel): Promise<SessionModel> {
    await start(session).ended;
    return session;
  }

  return {
    start,
    attempt,
    /** Returns what became of a session, as lists in texts. `row` contains all that is stored of it. */
    async examine(session: SessionModel) {
      const rows = await ledgerOf(session);
      const row = await SessionModel.query().findById(session.id).throwIfNotFound();
      return {
        outcomes: (outcomes.get(session.id) ?? []).join(', '),
        ledger: rows.map(({ provider, status }) => `${provider} ${status}`).join(', '),
        paid: doubles.paidFor(session).join(', '),
        status: row.status,
        row: JSON.stringify([row, rows]),
      };
    },
    /** Starts an attempt, and waits until the double has the request. Returns the attempt and a function that answers the request. */
    async startHeld(provider: Provider, session: SessionModel, kind?: RequestKind) {
      const { promise: arrived, resolve } = Promise.withResolvers<() => void>();
      doubles.on(provider, session, (_response, send) => resolve(send), kind);
      const attempt = start(session);
      const answer = await arrived;
      doubles.on(provider, session, accept, kind);
      return { ...attempt, answer };
    },
    async openCircuit() {
      const down = errorOfCause('outage', { provider: 'aisha', step: 'transcription' });
      for (let i = 0; i < 5; i++) begun[i % 2]?.settle(down);
    },
    /** As another session does whose call the provider answers. */
    closeCircuit: async () => begun[0]?.settle(),
  };
}

export type Worker = ReturnType<typeof createWorker>;
