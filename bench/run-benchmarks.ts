/**
 * `npm run bench`: what the service adds to a call; `npm run bench -- quick`: the same with a tenth of the calls.
 * `npm run bench -- memory`: what API and worker hold after work, and a minute later.
 * `npm run bench -- neighbours`: what a user who takes all that there is costs another.
 * `npm run bench -- batch`: a batch over 10,000 sessions, killed in the middle; `npm run bench -- batch 500 1000`: a
 * smaller one, of a vendor that takes a second.
 * `npm run bench -- outage`: a vendor that is away for ten minutes while 500 sessions wait; `npm run bench -- outage 50 30`.
 * `npm run bench -- uploads`: the API's memory while many and large recordings arrive. docs/performance.md
 */
import { benchBatch } from './batch.ts';
import { benchLatency } from './latency.ts';
import { benchMemory } from './memory.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchOutage } from './outage.ts';
import { startServers } from './servers.ts';
import { benchUploads } from './uploads.ts';

const BATCH_SESSIONS = 10_000;
const OUTAGE = { sessions: 500, awayS: 600 };

const [what = 'latency', size, duration] = process.argv.slice(2);
const servers = await startServers();
try {
  if (what === 'uploads') await benchUploads(servers);
  else if (what === 'batch') await benchBatch(servers, Number(size ?? BATCH_SESSIONS), Number(duration ?? 0));
  else if (what === 'outage')
    await benchOutage(servers, Number(size ?? OUTAGE.sessions), Number(duration ?? OUTAGE.awayS));
  else if (what === 'memory') await benchMemory(servers);
  else if (what === 'neighbours') await benchNeighbours(servers);
  else await benchLatency(servers, what === 'quick' ? 0.1 : 1);
} finally {
  await servers.stop();
}
process.exit(0);
