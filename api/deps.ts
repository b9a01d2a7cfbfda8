import type { Client } from '@temporalio/client';
import type { Prices } from '../runtime/prices/prices.ts';
import type { AddressGuard } from '../runtime/outbound/address-guard.ts';
import type { DiskRoom } from '../runtime/audio/disk-room.ts';
import type { AudioStore } from '../runtime/audio/store.ts';
import type { Config } from '../runtime/settings/config.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import type { SecretBox } from '../runtime/secrets/secrets.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { MailLimits } from './guard/mail-limits.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Exports } from './guard/exports.ts';
import type { EventStreams } from './streams/event-streams.ts';
import type { Audit } from './guard/audit.ts';
import type { Gate, Memory } from './guard/gate.ts';
import type { LoginLimits } from './guard/login-limits.ts';
import type { RequestLimits, UnauthorizedLimits } from './guard/request-limits.ts';
import type { LoginTokens } from './guard/tokens.ts';
import type { SessionWaits } from './streams/waits.ts';

/** What routes and commands need. They reach the database through the models. */
export interface ApiDeps {
  config: Config;
  prices: Prices;
  temporal: Client;
  log: Log;
  secrets: SecretBox;
  guard: AddressGuard;
  /** For `audio_url`. */
  audioGuard: AddressGuard;
  audio: AudioStore;
  redactor: Redactor;
  audit: Audit;
  diskRoom: DiskRoom;
  /** Limits the requests of each workspace that run at once. */
  gate: Gate;
  largeBodies: Gate;
  bodyMemory: Memory;
  /** Counts the bytes of responses that clients have not read. */
  unreadMemory: Memory;
  exports: Exports;
  waits: SessionWaits;
  events: EventStreams;
  /** Undefined if the installation sends no emails. */
  mailer: Mailer | undefined;
  loginTokens: LoginTokens;
  loginLimits: LoginLimits;
  mailLimits: MailLimits;
  userLimits: RequestLimits;
  unauthorizedLimits: UnauthorizedLimits;
  addressLimits: RequestLimits;
}

export type MailDeps = Pick<ApiDeps, 'config' | 'log' | 'mailLimits' | 'mailer'>;
