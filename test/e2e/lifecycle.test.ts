import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { listAssistants } from '../../contract/assistants.ts';
import { login } from '../../contract/account.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { send } from '../support/api.ts';
import { createDatabase, testDatabase } from '../support/database.ts';
import {
  addAssistant,
  newDirectory,
  register,
  removeDirectories,
  runProgram,
  START_TIMEOUT_MS,
  startService,
  untilEnded,
} from '../support/started-service.ts';
import type { TestService } from '../support/started-service.ts';
import { createNamespace, testTemporal } from '../support/temporal.ts';

describe('the life of a local start', function () {
  this.timeout(3 * START_TIMEOUT_MS);
  /** Of the tests that need no data directory of their own: a first start takes the longest. */
  let directory: string;
  let service: TestService | undefined;
  const start = async () => (service ??= await startService(directory));
  before(() => {
    directory = newDirectory();
  });
  after(async () => {
    await service?.stop();
    removeDirectories();
  });

  it('ends on SIGTERM and SIGINT with code 0 and nothing left behind, and has its data at the next start', async () => {
    const first = await start();
    const { token, email, password } = await register(first);
    const { id } = await addAssistant(first, token);
    await stopWith('SIGTERM', first);

    const second = await start();
    const { body } = await send(second, login, { body: { email, password } });
    const assistants = await send(second, listAssistants, { token: body.token });
    expect(assistants.body.data.map((assistant) => assistant.id)).to.deep.equal([id]);
    expect((await send(second, listAssistants, { token })).status).to.equal(200);
    await stopWith('SIGINT', second);
  });

  async function stopWith(signal: NodeJS.Signals, started: TestService): Promise<void> {
    service = undefined;
    const pids = started.findPids();
    expect(pids).to.have.length.above(2);
    expect(await started.stop(signal)).to.deep.equal({ code: 0, signal: null });
    await untilEnded(pids);
    expect(readdirSync(join(directory, 'run')).filter((file) => file.endsWith('.pid'))).to.deep.equal([]);
    expect(existsSync(join(directory, 'endpoints.json'))).to.equal(false);
  }

  it('tells every address, in its output and in endpoints.json, and refuses a second start on the same data', async () => {
    const first = await start();
    const { endpoints, output } = first;
    expect(Object.keys(endpoints).sort()).to.deep.equal(
      ['api_url', 'database_url', 'temporal_address', 'temporal_namespace', 'temporal_ui_url'].sort(),
    );
    for (const address of [endpoints.api_url, endpoints.temporal_address, endpoints.temporal_ui_url]) {
      expect(output()).to.contain(address);
    }
    expect(output()).to.contain(new URL(endpoints.database_url).host);
    expect(output()).not.to.contain(new URL(endpoints.database_url).password);
    expect((await fetch(endpoints.temporal_ui_url ?? '')).status).to.equal(200);

    const second = runProgram('local/main.ts', { DATA_DIR: directory, PORT: '0' });
    expect(await second.ended).to.include({ code: 1 });
    expect(second.output().trim().split('\n')).to.have.length(1);
    expect(second.output()).to.contain(`already runs on ${directory}`).and.to.contain(String(first.findPids()[0]));
    expect((await fetch(`${endpoints.api_url}/readyz`)).status).to.equal(200);
    expect(existsSync(join(directory, 'endpoints.json'))).to.equal(true);
  });

  it('starts no server of its own where DATABASE_URL and TEMPORAL_ADDRESS are set', async () => {
    const folder = newDirectory();
    const own = await createOwnParts();
    const bare = await startService(folder, own);
    expect(bare.endpoints).to.include({
      database_url: own.DATABASE_URL,
      temporal_address: own.TEMPORAL_ADDRESS,
      temporal_namespace: own.TEMPORAL_NAMESPACE,
      temporal_ui_url: null,
    });
    expect(bare.findPids()).to.have.length(1);
    expect(readdirSync(join(folder, 'run'))).to.deep.equal(['service.pid']);
    const { token } = await register(bare);
    const { id } = await addAssistant(bare, token);
    const conversation = [{ role: 'client', text: 'Hello.' }];
    const answer = await send(bare, submitTextRequest, { token, body: { assistant_id: id, conversation } });
    expect(answer.body).to.include({ status: 'completed' });
    await bare.stop();
  });
});

/** A database and a namespace for one start, on the servers of this run. */
async function createOwnParts() {
  const { address, temporal } = await testTemporal();
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(testDatabase().url, name);
  await createNamespace(temporal, name);
  return { DATABASE_URL: url, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: name };
}
