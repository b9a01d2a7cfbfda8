import type { Client } from '@temporalio/client';
import type { Prices } from '../activities/vendors/pricing.ts';
import type { AddressGuard } from '../runtime/outbound/address-guard.ts';
import type { AudioStore } from '../runtime/audio/store.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import type { SecretBox } from '../runtime/secrets.ts';
import type { DiskRoom } from './audio/disk-room.ts';
import type { EventStreams } from './events/event-streams.ts';
import type { BodyRoom } from './http/body-room.ts';
import type { Lingering } from './http/lingering.ts';
import type { LoginLimits } from './http/login-limits.ts';
import type { RequestLimits } from './http/request-limits.ts';
import type { LoginTokens } from './http/tokens.ts';
import type { UserTurns } from './http/user-turns.ts';
import type { SessionWaits } from './session-waits.ts';

/** What the routes and commands work with. The database is reached through the models. */
export interface ApiDeps {
  config: Pick<
    Config,
    | 'allowedModels'
    | 'audio'
    | 'budgets'
    | 'commit'
    | 'http'
    | 'providers'
    | 'quotas'
    | 'registration'
    | 'sessionRetentionDays'
    | 'temporal'
    | 'temporalUiUrl'
    | 'worker'
  >;
  prices: Prices;
  temporal: Client;
  log: Log;
  secrets: SecretBox;
  guard: AddressGuard;
  audio: AudioStore;
  diskRoom: DiskRoom;
  bodyRoom: BodyRoom;
  lingering: Lingering;
  waits: SessionWaits;
  events: EventStreams;
  loginTokens: LoginTokens;
  loginLimits: LoginLimits;
  userLimits: RequestLimits;
  userTurns: UserTurns;
  addressLimits: RequestLimits;
}
