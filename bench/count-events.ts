import { createLog } from '../runtime/telemetry/log.ts';
import { connectTemporal } from '../runtime/temporal/connect.ts';

/** Returns how many events of Temporal's the runs of these ids have, as text. */
export async function countEvents(address: string, ids: readonly string[]): Promise<string> {
  const { client, connection } = await connectTemporal(
    { address, namespace: 'default', tls: false, apiKey: undefined },
    createLog('warn'),
  );
  const lengths: number[] = [];
  for (const id of ids) lengths.push((await client.workflow.getHandle(id).describe()).historyLength);
  await connection.close();
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return `${mean.toFixed(0)} on the mean, ${Math.max(...lengths)} at most`;
}
