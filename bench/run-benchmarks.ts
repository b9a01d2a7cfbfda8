/**
 * `npm run bench`: what a session costs, compared with a lean twin. `npm run bench -- quick`: the same with fewer calls.
 * `npm run bench -- queue [sessions]`: how long one user waits while thousands of another user's sessions are queued.
 * See docs/performance.md.
 */
import { benchWithTwin } from './compare.ts';
import { benchQueue } from './queue.ts';
import { startServers } from './servers.ts';

const [name = 'compare', size] = process.argv.slice(2);
const servers = await startServers();
try {
  if (name === 'queue') await benchQueue(servers, Number(size ?? 5_000));
  else await benchWithTwin(servers, name === 'quick');
} finally {
  await servers.stop();
}
process.exit(0);
