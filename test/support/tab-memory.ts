import type { Page } from '@playwright/test';

export interface TabMemory {
  /** Events that the tab's streams have brought. */
  events(): number;
  /** Reads what the tab holds on to, after a forced collection of garbage. */
  read(): Promise<{ heapBytes: number; nodes: number; listeners: number }>;
}

/** Watches a tab from now on. */
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
      return {
        heapBytes: valueOf('JSHeapUsedSize'),
        nodes: valueOf('Nodes'),
        listeners: valueOf('JSEventListeners'),
      };
    },
  };
}
