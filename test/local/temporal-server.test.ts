import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { NativeConnection } from '@temporalio/worker';
import { freePort } from '../support/free-port.ts';
import { findTemporalCli } from '../../local/temporal-cli.ts';
import { answers, startTemporalServer } from '../../local/temporal-server.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { newFolder } from '../support/new-folder.ts';

describe('The Temporal server of npm start', () => {
  const servers: Awaited<ReturnType<typeof startTemporalServer>>[] = [];
  before(async function () {
    this.timeout(0);
    const cli = await findTemporalCli(process.env, () => undefined);
    const usualPort = await freePort();
    const start = (program: string) => {
      const directory = newFolder();
      mkdirSync(join(directory, 'run'));
      return startTemporalServer({ cli: program, directory, usualPort, namespace: 'calls', log: silentLog });
    };
    // The first start chooses the port, but its program tries to use it when the server of the second start does.
    const folder = newFolder();
    const [late, isTaken] = [join(folder, 'temporal'), join(folder, 'taken')];
    const script = `#!/bin/sh\ntouch '${folder}/waiting'\nwhile [ ! -e '${isTaken}' ]; do sleep 0.05; done\nexec '${cli}' "$@"\n`;
    writeFileSync(late, script, { mode: 0o700 });
    const first = start(late);
    await eventually(() => existsSync(join(folder, 'waiting')), true);
    const second = await start(cli);
    writeFileSync(isTaken, '');
    servers.push(await first, second);
  });
  after(() => Promise.all(servers.map((server) => server.stop())));

  it('is never that of another start with other data, also if both start at the same moment', () => {
    const [one, two] = servers;
    expect(one!.pid()).to.be.a('number');
    expect(two!.pid()).to.be.a('number');
    expect(one!.address).not.to.equal(two!.address);
  });

  it('has the namespace of the settings', async () => {
    const find = ({ workflowService }: NativeConnection) => workflowService.describeNamespace({ namespace: 'calls' });
    expect(await answers(servers[0]!.address, async (connection) => void (await find(connection)))).to.equal(true);
  });

  it('Threat: has a UI that a web page cannot use under a name of its own', async () => {
    const { uiUrl } = servers[0]!;
    const statusFor = (host: string, method = 'GET') =>
      new Promise((resolve) => {
        request(`${uiUrl}/api/v1/namespaces`, { method, headers: { Host: host } }, ({ statusCode }) =>
          resolve(statusCode),
        ).end();
      });
    expect(await statusFor('evil.example')).to.equal(421);
    expect(await statusFor('evil.example', 'POST')).to.equal(421);
    await eventually(() => statusFor('localhost'), 200);
    expect(await (await fetch(uiUrl)).text()).to.contain('<html');
  });
});
