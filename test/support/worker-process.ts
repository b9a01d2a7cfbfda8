/** Runs a worker as a separate process, with this test's database and Temporal. */
import { audioFolder } from './audio.ts';
import { testDatabase } from './database.ts';
import { runProgram, type StartedProcess } from './started-service.ts';
import { terminateWorkflows, testTemporal } from './temporal.ts';

/** Kills the worker, if it was started, and terminates its workflows. */
export async function endWorkerProcess(worker: StartedProcess | undefined): Promise<void> {
  worker?.signal('SIGTERM');
  await worker?.ended;
  await terminateWorkflows();
}

/** @param env additional settings. */
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
