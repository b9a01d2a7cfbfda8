/** The settings of a local start that come from its data directory. */
import { join } from 'node:path';
import type { Environment } from '../runtime/environment.ts';
import type { DataDir } from './data-dir.ts';

/** Returns the settings that a data directory keeps, where the environment has none of its own. */
export const fromDataDir = ({ path, secrets }: Pick<DataDir, 'path' | 'secrets'>, env: Environment): Environment => ({
  ...(!env['JWT_SECRETS'] && { JWT_SECRET: secrets.jwt_secret }),
  ...(!env['ENCRYPTION_KEYS'] && { ENCRYPTION_KEY: secrets.encryption_key }),
  AUDIO_STORE: join(path, 'audio'),
});

/** Stand for the addresses of servers that are started later. */
export const NOT_STARTED = { DATABASE_URL: 'postgresql://127.0.0.1/none', TEMPORAL_ADDRESS: '127.0.0.1:1' };
