import pg from 'pg';
import { API_BASE } from '../../contract/values/constants.ts';
import { testDatabase, useConnections } from '../support/database.ts';
import { createOwner } from '../support/factories.ts';
import { fillSessions } from '../support/fill-sessions.ts';
import { useTestApi } from '../support/set-up.ts';

describe('speed', () => {
  useConnections();
  const api = useTestApi();
  it('exports', async function () {
    this.timeout(0);
    const { token, assistant } = await createOwner();
    const client = new pg.Client({ connectionString: testDatabase().url });
    await client.connect();
    const count = Number(process.env['COUNT'] ?? 20_000);
    await fillSessions(client, { users: [assistant.workspace_id], perUser: count });
    await client.query('analyze');
    for (const query of [
      '',
      '&sort=completed_at',
      '&sort=updated_at',
      '&include=fields',
      '&include=fields,conversation,raw_response',
    ]) {
      const start = performance.now();
      const cpu = process.cpuUsage();
      const response = await fetch(`${api.url}${API_BASE}/v1/exports/sessions?format=jsonl${query}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      let lines = 0;
      for await (const chunk of response.body!) for (const byte of chunk as Uint8Array) if (byte === 10) lines++;
      const ms = performance.now() - start;
      const { user, system } = process.cpuUsage(cpu);
      console.log(
        query,
        lines,
        'lines',
        Math.round((lines / ms) * 1000),
        '/s',
        'cpu',
        Math.round((lines / (user + system)) * 1e6),
        '/cpu-s',
      );
    }
    await client.end();
  });
});
