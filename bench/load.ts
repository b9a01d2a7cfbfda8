/** Calls HTTP servers in turns, first one call after another, then many at once. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** What one round measured. */
export interface Measured {
  /** NaN without serial calls. */
  p50Ms: number;
  perSecond: number;
  /** Processor time per call, in the order of `cpuMs` of the party. */
  cpuMs: number[];
}

export interface Party {
  target: Target;
  /** Returns the processor time used so far, by server, in milliseconds. */
  cpuMs(): number[];
}

export interface Target {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Calls of a round. */
export interface Load {
  serial: number;
  concurrent: number;
  atOnce: number;
}

/** Pause in which the server finishes its work after the responses, which must not slow down the other party. */
const REST_MS = 700;

/**
 * Measures the parties in turns, in each round in another order, because slow phases of the machine and growing databases must
 * affect all of them. Returns what each round measured, by party.
 * @param warmUp calls before the first round: those of a new process take longer.
 */
export async function measureByTurns(
  parties: readonly Party[],
  { load, rounds, warmUp }: { load: Load; rounds: number; warmUp: number },
): Promise<Measured[][]> {
  const agent = new Agent({ connections: load.atOnce });
  const measured: Measured[][] = parties.map(() => []);
  for (const { target } of parties) await repeat(warmUp, load.atOnce, () => callOnce(agent, target));
  for (let round = 0; round < rounds; round++) {
    const indexes = parties.map((_, index) => (index + round) % parties.length);
    for (const index of indexes) measured[index]?.push(await measureRound(agent, parties[index] as Party, load));
  }
  await agent.close();
  return measured;
}

async function measureRound(agent: Agent, { target, cpuMs }: Party, load: Load): Promise<Measured> {
  const call = () => callOnce(agent, target);
  await sleep(REST_MS);
  const before = cpuMs();
  const serialMs = (await repeat(load.serial, 1, call)).sort((a, b) => a - b);
  const started = performance.now();
  await repeat(load.concurrent, load.atOnce, call);
  const concurrentMs = performance.now() - started;
  await sleep(REST_MS);
  const calls = load.serial + load.concurrent;
  return {
    p50Ms: quantile(serialMs, 0.5),
    perSecond: load.concurrent / (concurrentMs / 1_000),
    cpuMs: cpuMs().map((used, index) => (used - (before[index] ?? 0)) / calls),
  };
}

/** Returns the duration of a call in milliseconds. Repeats a call that a busy machine refused. */
async function callOnce(dispatcher: Agent, target: Target, started = performance.now()): Promise<number> {
  const { statusCode, body } = await request(target.url, { ...target, method: 'POST', dispatcher });
  const text = await body.text();
  if (statusCode === 503) return callOnce(dispatcher, target, started);
  if (statusCode !== 200) throw new Error(`${target.url} answered ${statusCode}: ${text.slice(0, 300)}`);
  return performance.now() - started;
}

export const quantile = (sorted: number[], q: number) => sorted[Math.floor(sorted.length * q)] ?? Number.NaN;

/** Makes `count` calls, `atOnce` at a time. Returns the results. */
export async function repeat<T>(count: number, atOnce: number, call: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) results.push(await call());
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
