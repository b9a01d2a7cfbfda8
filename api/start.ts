/** Connects the application to its parts, listens, and drains on stop. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Knex } from 'knex';
import { listenToDatabase } from '../db/listen.ts';
import { createAddressGuard } from '../runtime/outbound/address-guard.ts';
import { createAudioStore } from '../runtime/audio/create-store.ts';
import { createPrices } from '../activities/vendors/pricing.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { portTaken, StartError } from '../runtime/process.ts';
import { createSecretBox } from '../runtime/secrets.ts';
import type { TemporalCaller } from '../runtime/temporal/connect.ts';
import { createApp } from './app.ts';
import { createDrain } from './drain.ts';
import { standaloneProblem } from './http/problems.ts';
import { createAddressLimits } from './http/address-limits.ts';
import { createBodyRoom } from './http/body-room.ts';
import { continueWhenRead } from './http/continue-when-read.ts';
import { createEventStreams } from './events/event-streams.ts';
import { createLingering } from './http/lingering.ts';
import type { Lingering } from './http/lingering.ts';
import { createLoginLimits } from './http/login-limits.ts';
import { createRequestLimits } from './http/request-limits.ts';
import { createLoginTokens } from './http/tokens.ts';
import { createUserTurns } from './http/user-turns.ts';
import { createDiskRoom } from './audio/disk-room.ts';
import { createReadiness } from './readiness.ts';
import { createSessionWaits } from './session-waits.ts';

export interface RunningApi {
  /** Without the base path: `http://127.0.0.1:3000`. */
  url: string;
  /** Takes no more requests, answers those that wait, and cuts what is not done when the grace period ends. */
  stop(): Promise<void>;
}

export interface ApiParts {
  config: Config;
  db: Knex;
  temporal: TemporalCaller;
  log: Log;
}

/** Above the 60 s after which the usual reverse proxies give up an idle connection: they must be the ones to close it. */
const KEEP_ALIVE_MS = 75_000;

/** A large recording over a slow line; JSON bodies and silent uploads have tighter bounds of their own. */
const MAX_REQUEST_MS = 3_600_000;

export async function startApi({ config, db, temporal, log }: ApiParts): Promise<RunningApi> {
  const listener = await listenToDatabase({ databaseUrl: config.database.url, log });
  const waits = await createSessionWaits({ listener, log });
  const events = await createEventStreams({ listener, log, streamsPerUser: config.http.eventStreamsPerUser });
  const audio = createAudioStore(config.audio);
  const lingering = createLingering();
  const diskRoom = createDiskRoom({ audio, minFreeBytes: config.audio.minFreeBytes });
  const app = createApp(
    {
      config,
      prices: createPrices(config.vendors.pricesFile),
      temporal: temporal.client,
      log,
      secrets: createSecretBox(config.encryptionKeys),
      guard: createAddressGuard(config.webhooks.allowHosts, config.webhooks.dnsServers),
      audio,
      diskRoom,
      bodyRoom: createBodyRoom(config.http.bodyBytesInFlight),
      lingering,
      waits,
      events,
      loginTokens: createLoginTokens(config.jwtSecrets),
      loginLimits: createLoginLimits(db),
      userLimits: createRequestLimits(db, { name: 'user', points: config.http.requestsPerMinute }),
      userTurns: createUserTurns(),
      addressLimits: createAddressLimits(db, config.http.requestsPerMinuteAndAddress),
    },
    createReadiness({ db, temporal, diskRoom }),
  );
  const answer = app.callback();
  const server = createServer({ requestTimeout: MAX_REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS }, answer);
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    void answer(request, response);
  });
  server.maxConnections = config.http.maxConnections;
  server.on('clientError', (error, socket: Socket) => refuseUnparsable(error, socket, lingering));
  const drain = createDrain(server, lingering);
  await listen(server, config.http);
  return {
    url: `http://${config.http.host.includes(':') ? `[${config.http.host}]` : config.http.host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      const drained = drain(config.shutdownGraceMs);
      waits.close();
      events.close();
      await drained;
      await listener.close();
    },
  };
}

const PORT_ERRORS = new Set(['EADDRINUSE', 'EACCES']);

function listen(server: Server, { host, port }: Config['http']): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(PORT_ERRORS.has(error.code ?? '') ? new StartError(portTaken(port, host)) : error);
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

/** Answers what Node's parser refuses, which never reaches Koa, in the same form. */
function refuseUnparsable(error: NodeJS.ErrnoException, socket: Socket, lingering: Lingering): void {
  // It was answered; what comes after that is read and dropped.
  if (lingering.isHeld(socket)) return;
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [code, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? (['headers_too_large', 'The headers are larger than 16 KiB.'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? (['request_timeout', 'The request did not arrive in time.'] as const)
        : (['malformed_request', 'This is not a valid HTTP/1.1 request.'] as const);
  const body = standaloneProblem(code, detail);
  const status = (JSON.parse(body) as { status: number; title: string }).status;
  lingering.hold(socket);
  socket.end(
    `HTTP/1.1 ${status} Error\r\nConnection: close\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
