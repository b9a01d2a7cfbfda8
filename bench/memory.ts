/** What API and worker, in one process, hold after work, and whether they give it back. docs/performance.md, "Memory" */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareCases } from './latency.ts';
import type { Target } from './load.ts';
import { script, startProcess } from './processes.ts';
import type { BenchServers } from './servers.ts';

const AT_REST_MS = 5_000;
/** The aim is set for 60 s after the work. */
const AFTER_MS = [0, 15_000, 60_000];
const CALLS_OF_EACH_KIND = 375;
const IN_FLIGHT = 25;

/** Prints the resident memory at rest, after sessions of every kind, and a minute later. */
export async function benchMemory(servers: BenchServers): Promise<void> {
  const env = { ...servers.env, DATA_DIR: join(servers.directory, 'service'), LOG_LEVEL: 'warn' };
  const service = await startProcess(script('../local/main.ts'), env);
  const say = (when: string) => console.log(`${when}: ${service.residentMb().toFixed(0)} MB resident`);
  try {
    await sleep(AT_REST_MS);
    say('at rest');
    for (const { name, target } of await prepareCases(service.url.replace(/\/api$/, ''), servers)) {
      await call(target);
      say(`after ${name}`);
    }
    let waited = 0;
    for (const after of AFTER_MS) {
      await sleep(after - waited);
      waited = after;
      say(`${after / 1_000} s after all of them`);
    }
  } finally {
    await service.stop();
  }
}

/** Calls the target again and again. One that a busy machine refuses is no matter here. */
async function call({ url, headers, body }: Target): Promise<void> {
  let left = CALLS_OF_EACH_KIND;
  const sent = typeof body === 'string' ? body : new Uint8Array(body);
  const work = async () => {
    while (left-- > 0) await (await fetch(url, { method: 'POST', headers, body: sent })).text();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}
