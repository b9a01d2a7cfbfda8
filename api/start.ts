/** Creates the application with its dependencies, listens, and drains on stop. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Knex } from 'knex';
import { listenToDatabase } from '../db/listen.ts';
import { createRedactor } from '../redaction/create-redactor.ts';
import { createAddressGuard } from '../runtime/outbound/address-guard.ts';
import { createAudioStore } from '../runtime/audio/create-store.ts';
import { createDiskRoom } from '../runtime/audio/disk-room.ts';
import { createPrices } from '../runtime/prices/prices.ts';
import type { Config } from '../runtime/settings/config.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { listen } from '../runtime/process/listen.ts';
import { MAX_HEAP_BYTES } from '../runtime/process/process-limits.ts';
import { createSecretBox } from '../runtime/secrets/secrets.ts';
import type { TemporalCaller } from '../runtime/temporal/connect.ts';
import { createApp } from './app.ts';
import { createDrain } from './drain.ts';
import { createMailLimits } from './guard/mail-limits.ts';
import { createMailer } from './mail/mailer.ts';
import { type ApiError, refusal } from './errors.ts';
import { toProblem } from './http/problems.ts';
import { createAudit } from './guard/audit.ts';
import { createEventStreams } from './streams/event-streams.ts';
import { createGate, createMemory } from './guard/gate.ts';
import { closeSoon, isRefused } from './http/early-response.ts';
import { createLoginLimits } from './guard/login-limits.ts';
import { createAddressLimits, createRequestLimits, createUnauthorizedLimits } from './guard/request-limits.ts';
import { createLoginTokens } from './guard/tokens.ts';
import { createExports } from './guard/exports.ts';
import { createReadiness } from './service/health.ts';
import { createSessionWaits } from './streams/waits.ts';

export interface RunningApi {
  /** Without the base path: `http://127.0.0.1:3000`. */
  url: string;
  /** Accepts no more requests, finishes running ones, and cuts off what is not finished after the grace period. */
  stop(): Promise<void>;
}

interface ApiParts {
  config: Config;
  db: Knex;
  temporal: TemporalCaller;
  log: Log;
}

/** Above the 60 s of common reverse proxies, so that the proxy closes idle connections first. */
const KEEP_ALIVE_MS = 75_000;

/** Large JSON bodies of one workspace that are processed at once. */
const LARGE_BODIES_AT_ONCE = 2;

/** Enough for a large recording over a slow connection. JSON bodies and idle uploads have shorter limits. */
const MAX_REQUEST_MS = 3_600_000;

export async function startApi({ config, db, temporal, log }: ApiParts): Promise<RunningApi> {
  const listener = await listenToDatabase({ databaseUrl: config.database.url, log });
  const waits = await createSessionWaits({ listener, log });
  const events = createEventStreams({ listener, log, streamsPerKey: config.http.eventStreams });
  const audio = createAudioStore(config.audio);
  const diskRoom = createDiskRoom({ audio, minFreeBytes: config.audio.minFreeBytes });
  const redactor = createRedactor(config.redaction);
  const mailer = config.mail && createMailer(config.mail, log);
  const unreadMemory = createMemory(config.http.unreadBytes);
  const app = createApp(
    {
      config,
      prices: createPrices(config.calls.pricesFile),
      temporal: temporal.client,
      log,
      secrets: createSecretBox(config.encryptionKeys),
      guard: createAddressGuard(config.webhooks.allowHosts, config.webhooks.dnsServers),
      audioGuard: createAddressGuard(config.audio.urlAllowHosts, config.webhooks.dnsServers),
      audio,
      redactor,
      diskRoom,
      audit: createAudit(db, log),
      gate: createGate(Math.max(1, Math.floor(config.database.poolMax / 3))),
      largeBodies: createGate(LARGE_BODIES_AT_ONCE),
      bodyMemory: createMemory(MAX_HEAP_BYTES / 16),
      unreadMemory,
      exports: createExports(unreadMemory),
      waits,
      events,
      mailer,
      loginTokens: createLoginTokens(config.jwtSecrets),
      loginLimits: createLoginLimits(db),
      mailLimits: createMailLimits(db),
      userLimits: createRequestLimits(db, { name: 'user', points: config.http.requestsPerMinute }),
      unauthorizedLimits: createUnauthorizedLimits(config.http.requestsPerMinute),
      addressLimits: createAddressLimits(db, config.http.requestsPerMinuteAndAddress),
    },
    createReadiness({ db, temporal, audio, diskRoom, log }),
  );
  const handleRequest = app.callback();
  const server = createServer({ requestTimeout: MAX_REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS }, handleRequest);
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    void handleRequest(request, response);
  });
  server.maxConnections = config.http.maxConnections;
  server.on('clientError', (error, socket: Socket) => refuseUnparsable(error, socket));
  const drain = createDrain(server);
  await listen(server, config.http);
  return {
    url: `http://${config.http.host.includes(':') ? `[${config.http.host}]` : config.http.host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      const drained = drain(config.shutdownGraceMs);
      waits.close();
      events.close();
      await drained;
      await redactor.rules.stop();
      await mailer?.stop();
      await listener.close();
    },
  };
}

/**
 * Sends `100 Continue` to a client that waits for it (RFC 9110 §10.1.1) when its body is read. A body that is refused by
 * its headers is never sent.
 */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once('resume', () => {
    if (!response.headersSent) response.writeContinue();
  });
}

const PARSER_ERRORS: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: refusal('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal('request_timeout:headers'),
};

/** Responds with a problem document to a request that Node's parser refuses and Koa never receives. */
function refuseUnparsable({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (isRefused(socket)) return;
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  const error = PARSER_ERRORS[code] ?? refusal('malformed_request:http');
  const body = JSON.stringify(toProblem(error, randomUUID()));
  closeSoon(socket);
  socket.end(
    `HTTP/1.1 ${error.status} Error\r\nConnection: close\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
