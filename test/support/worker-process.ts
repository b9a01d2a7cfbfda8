/** A worker as a process of its own, on this test's database and Temporal, that can be killed. */
import { audioFolder } from './audio.ts';
import { testDatabase } from './database.ts';
import { runProgram } from './started-service.ts';
import type { StartedProcess } from './started-service.ts';
import { terminateWorkflows, testTemporal } from './temporal.ts';

/** Ends a worker that may have started, and the runs that it leaves. */
export async function endWorkerProcess(worker: StartedProcess | undefined): Promise<void> {
  worker?.signal('SIGTERM');
  await worker?.ended;
  await terminateWorkflows();
}

/** @param env beside what every worker of a test has. */
export async function startWorkerProcess(env: Record<string, string> = {}): Promise<StartedProcess> {
  const { address, temporal } = await testTemporal();
  return runProgram('worker/main.ts', {
    DATABASE_URL: testDatabase().url,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    JWT_SECRETS: 'a secret of at least thirty-two characters',
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
    AUDIO_STORE: audioFolder(),
    ...env,
  });
}
