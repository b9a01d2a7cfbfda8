/** Load on an HTTP server: one call after another, then many at once. */
import { performance } from 'node:perf_hooks';
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

const WARM_UP = 100;
const SERIAL = 200;
const IN_FLIGHT = 50;
const CONCURRENT = 1_000;

/**
 * Measures one call after another, then 50 in flight.
 * @param scale part of the usual number of calls.
 */
export async function measure(target: Target, scale = 1): Promise<Measured> {
  const agent = new Agent({ connections: IN_FLIGHT });
  const callOnce = async () => {
    const started = performance.now();
    const { statusCode, body } = await request(target.url, { ...target, method: 'POST', dispatcher: agent });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${target.url} answered ${statusCode}: ${text.slice(0, 300)}`);
    return performance.now() - started;
  };
  for (let i = 0; i < WARM_UP * scale; i++) await callOnce();
  const serial: number[] = [];
  for (let i = 0; i < SERIAL * scale; i++) serial.push(await callOnce());
  serial.sort((a, b) => a - b);

  const concurrent = CONCURRENT * scale;
  let left = concurrent;
  const started = performance.now();
  const work = async () => {
    while (left-- > 0) await callOnce();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const perSecond = concurrent / ((performance.now() - started) / 1_000);
  await agent.close();
  return { p50Ms: quantile(serial, 0.5), p90Ms: quantile(serial, 0.9), perSecond };
}

/** Returns the value below which the part `q` of the sorted numbers lies. */
export const quantile = (sorted: number[], q: number) => sorted[Math.floor(sorted.length * q)] ?? Number.NaN;
