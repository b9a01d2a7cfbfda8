/** Starts what every test may use, once per run, and stops it afterwards. */
import { removeAudioFolder } from './audio.ts';
import { startTestDatabase, stopTestDatabase } from './database.ts';
import { stopTemporal } from './temporal.ts';
import { stopTimeSkipping } from './time-skipping.ts';

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(60_000);
    await startTestDatabase();
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(60_000);
    await stopTimeSkipping();
    await stopTemporal();
    await stopTestDatabase();
    removeAudioFolder();
  },
};
