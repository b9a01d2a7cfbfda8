/** Calls HTTP servers, first one call after another, then many at once. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface Measured {
  p50Ms: number;
  /** At `IN_FLIGHT` calls in flight. */
  perSecond: number;
  /** Processor time per call, in the order of `cpuMs` of the case. */
  cpuMs: number[];
}

interface MeasuredCase {
  target: Target;
  /** Returns the processor time used so far, by server, in milliseconds. */
  cpuMs(): number[];
}

export interface Target {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Calls before the measurement. The first hundred calls of a process take 50 % longer. */
const WARM_UP = 300;
/** Several short rounds, so slow phases of the machine and growing databases affect every target equally. */
const ROUNDS = 5;
const SERIAL = 40;
const IN_FLIGHT = 50;
const CONCURRENT = 200;
/** Pause in which the server finishes its work after the responses, which must not slow down the next target. */
const REST_MS = 1_000;

/**
 * Measures the targets alternately: one call after another, then 50 in flight.
 * @param scale fraction of the usual number of calls.
 */
export async function measureByTurns(cases: readonly MeasuredCase[], scale: number): Promise<Measured[]> {
  const agent = new Agent({ connections: IN_FLIGHT });
  const runs = cases.map((measured) => ({
    ...measured,
    serialMs: [] as number[],
    concurrentMs: 0,
    usedMs: measured.cpuMs().map(() => 0),
  }));
  for (const { target } of runs) await repeat(WARM_UP * scale, 1, () => callOnce(agent, target));
  for (let round = 0; round < ROUNDS; round++) {
    for (const run of runs) {
      const before = run.cpuMs();
      run.serialMs.push(...(await repeat(SERIAL * scale, 1, () => callOnce(agent, run.target))));
      await sleep(REST_MS);
      const started = performance.now();
      await repeat(CONCURRENT * scale, IN_FLIGHT, () => callOnce(agent, run.target));
      run.concurrentMs += performance.now() - started;
      await sleep(REST_MS);
      const after = run.cpuMs();
      run.usedMs = run.usedMs.map((used, index) => used + (after[index] ?? 0) - (before[index] ?? 0));
    }
  }
  await agent.close();
  const calls = (SERIAL + CONCURRENT) * scale * ROUNDS;
  return runs.map(({ serialMs, concurrentMs, usedMs }) => {
    serialMs.sort((a, b) => a - b);
    const perSecond = (CONCURRENT * scale * ROUNDS) / (concurrentMs / 1_000);
    const cpuMs = usedMs.map((used) => used / calls);
    return { p50Ms: quantile(serialMs, 0.5), perSecond, cpuMs };
  });
}

/** Returns the duration of a call in milliseconds. */
async function callOnce(dispatcher: Agent, target: Target): Promise<number> {
  const started = performance.now();
  const { statusCode, body } = await request(target.url, { ...target, method: 'POST', dispatcher });
  const text = await body.text();
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
