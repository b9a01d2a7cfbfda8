import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';

export interface TabMemory {
  /** Number of events that the tab has received. */
  events(): number;
  /** Returns what the tab still uses after garbage collections, when it no longer shrinks: lists apply events in bursts. */
  read(): Promise<Reading>;
}

interface Reading {
  heapBytes: number;
  nodes: number;
  listeners: number;
}

const SETTLED_BYTES = 20_000;
const READ_EVERY_MS = 300;

/** Measures the memory of a tab. */
export async function watchMemory(page: Page): Promise<TabMemory> {
  const devtools = await page.context().newCDPSession(page);
  let events = 0;
  devtools.on('Network.eventSourceMessageReceived', () => events++);
  for (const domain of ['Network', 'Performance', 'HeapProfiler'] as const) await devtools.send(`${domain}.enable`);
  async function readOnce(): Promise<Reading> {
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    return { heapBytes: valueOf('JSHeapUsedSize'), nodes: valueOf('Nodes'), listeners: valueOf('JSEventListeners') };
  }
  return {
    events: () => events,
    async read() {
      let reading = await readOnce();
      for (;;) {
        await setTimeout(READ_EVERY_MS);
        const next = await readOnce();
        if (reading.heapBytes - next.heapBytes < SETTLED_BYTES) return next;
        reading = next;
      }
    },
  };
}
