/** Load on HTTP servers: one call after another, then many at once. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface Measured {
  p50Ms: number;
  p90Ms: number;
  /** At `IN_FLIGHT` calls in flight. */
  perSecond: number;
}

export interface Target {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Until what is measured is compiled: the first hundred calls of a process take half as long again. */
const WARM_UP = 300;
/** Short and many, so that a machine that is slower for a while, and databases that grow, slow every target alike. */
const ROUNDS = 5;
const SERIAL = 40;
const IN_FLIGHT = 50;
const CONCURRENT = 200;
/** For what goes on after the answer: it is not to slow the next target. */
const REST_MS = 1_000;

/**
 * Measures the targets by turns: one call after another, then 50 in flight.
 * @param scale part of the usual number of calls.
 */
export async function measureByTurns<T extends { target: Target }>(
  cases: readonly T[],
  scale: number,
): Promise<(T & Measured)[]> {
  const agent = new Agent({ connections: IN_FLIGHT });
  const runs = cases.map((measured) => ({
    measured,
    target: measured.target,
    serialMs: [] as number[],
    concurrentMs: 0,
  }));
  for (const { target } of runs) await callSerially(agent, target, WARM_UP * scale);
  for (let round = 0; round < ROUNDS; round++) {
    for (const run of runs) {
      await sleep(REST_MS);
      run.serialMs.push(...(await callSerially(agent, run.target, SERIAL * scale)));
      await sleep(REST_MS);
      const started = performance.now();
      await callAtOnce(agent, run.target, CONCURRENT * scale);
      run.concurrentMs += performance.now() - started;
    }
  }
  await agent.close();
  return runs.map(({ measured, serialMs, concurrentMs }) => {
    serialMs.sort((a, b) => a - b);
    const perSecond = (CONCURRENT * scale * ROUNDS) / (concurrentMs / 1_000);
    return { ...measured, p50Ms: quantile(serialMs, 0.5), p90Ms: quantile(serialMs, 0.9), perSecond };
  });
}

async function callSerially(agent: Agent, target: Target, calls: number): Promise<number[]> {
  const durations: number[] = [];
  while (durations.length < calls) durations.push(await callOnce(agent, target));
  return durations;
}

async function callAtOnce(agent: Agent, target: Target, calls: number): Promise<void> {
  let left = calls;
  const work = async () => {
    while (left-- > 0) await callOnce(agent, target);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

/** Returns how long a call takes, in milliseconds. */
async function callOnce(dispatcher: Agent, target: Target): Promise<number> {
  const started = performance.now();
  const { statusCode, body } = await request(target.url, { ...target, method: 'POST', dispatcher });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${target.url} answered ${statusCode}: ${text.slice(0, 300)}`);
  return performance.now() - started;
}

/** Returns the value below which the part `q` of the sorted numbers lies. */
export const quantile = (sorted: number[], q: number) => sorted[Math.floor(sorted.length * q)] ?? Number.NaN;
