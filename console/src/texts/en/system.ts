import type { ReadinessProblem } from '../../../../contract/values/readiness.ts';

export const system = {
  service: 'Service',
  state: 'State',
  ready: 'Ready',
  /** In other languages. The English texts are those of the API. */
  problems: {} as Record<ReadinessProblem, string>,
  notReady: (problems: string) => `Not ready: ${problems}`,
  providers: 'Providers',
  down: (reason: string) => `Down (${reason}) since`,
  recordings: 'Recordings',
  conversations: 'Conversations',
  readyBut: (warnings: string) => `Ready, but: ${warnings}`,
  workers: 'Workers',
  workersRunning: (count: number) => (count === 0 ? 'No worker is running' : `${count} running`),
  queue: 'Your queue',
  waiting: (count: number) => `${count.toLocaleString('en')} queued`,
  oldest: 'oldest',
  freeSpace: { recordings: 'Free space for recordings', database: 'Free space of the database' },
  temporal: 'Temporal UI',
  configured: 'Configured',
  simulated: 'Simulated',
  noKey: 'Not configured',
};
