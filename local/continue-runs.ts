/** Continues open workflows after a change of their code. Started servers do the same with releases: docs/operations.md. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../runtime/telemetry/log.ts';
import type { Temporal } from '../runtime/temporal/connect.ts';
import { hashWorkflowSources } from '../worker/workflow-bundle.ts';

/**
 * If the workflows differ from those of the last start, Temporal begins each open run again from its first task, with the same
 * ID. Steps and webhook attempts that ended return their stored rows, so no provider is paid and no webhook posted twice. A wait for a
 * retry begins anew.
 */
export async function continueOpenRuns(
  { connection, namespace }: Temporal,
  directory: string,
  log: Log,
): Promise<void> {
  const file = join(directory, 'workflows');
  const current = hashWorkflowSources();
  const former = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (former === current) return;
  await connection.workflowService.startBatchOperation({
    namespace,
    jobId: randomUUID(),
    visibilityQuery: 'ExecutionStatus = "Running"',
    reason: 'the workflows changed',
    resetOperation: { identity: 'npm start', options: { firstWorkflowTask: {} } },
  });
  if (former !== undefined) log.info('the workflows changed: open runs begin again from their rows');
  writeFileSync(file, current, { mode: 0o600 });
}
