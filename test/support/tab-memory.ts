import type { Page } from '@playwright/test';

export interface TabMemory {
  /** Number of events that the tab has received. */
  events(): number;
  /** Returns what the tab still uses after a garbage collection. */
  read(): Promise<{ heapBytes: number; nodes: number; listeners: number }>;
}

/** Measures the memory of a tab. */
export async function watchMemory(page: Page): Promise<TabMemory> {
  const devtools = await page.context().newCDPSession(page);
  let events = 0;
  devtools.on('Network.eventSourceMessageReceived', () => events++);
  for (const domain of ['Network', 'Performance', 'HeapProfiler'] as const) await devtools.send(`${domain}.enable`);
  return {
    events: () => events,
    async read() {
      await devtools.send('HeapProfiler.collectGarbage');
      const { metrics } = await devtools.send('Performance.getMetrics');
      const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
      return { heapBytes: valueOf('JSHeapUsedSize'), nodes: valueOf('Nodes'), listeners: valueOf('JSEventListeners') };
    },
  };
}
