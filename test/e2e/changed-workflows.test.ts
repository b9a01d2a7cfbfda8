import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/new-folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { addAssistant, register, startService } from '../support/started-service.ts';
import { useStarted } from '../support/use-started.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { PROVIDERS } from '../../contract/values/providers.ts';
import { providerCalls } from '../support/voice.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SKIPPED = ['.git', '.data', 'node_modules', 'dist', 'test'];

/** Returns a copy of the project whose workflows began with another step. */
function formerProject(): string {
  const folder = join(newFolder(), 'former');
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !SKIPPED.includes(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'workflows/analyze-session.ts');
  const code = readFileSync(file, 'utf8');
  const begun = 'const { taskQueue, priority = {} } = workflowInfo();';
  expect(code).to.contain(begun);
  writeFileSync(
    file,
    code.replace(begun, `await sleep(1);\n  ${begun}`).replace('  workflowInfo,', '  sleep,\n  workflowInfo,'),
  );
  return folder;
}

describe('npm start with changed workflows', function () {
  this.timeout(0);
  const standIns = useStarted(() => startStandIns());
  const receiver = useStarted(() =>
    startReceiver((response) => response.writeHead(receiver.requests.length > 1 ? 200 : 503).end()),
  );

  it('continues a session whose webhook waits for a retry: nothing is paid or delivered twice, and nothing gets stuck', async () => {
    const directory = newFolder();
    const env = standInEnvironment(PROVIDERS, standIns.url);
    const former = await startService(directory, env, formerProject());
    const { token } = await register(former);
    const { id } = await addAssistant(former, token, { webhook_url: receiver.url });
    const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];
    const body = { assistant_id: id, conversation };
    const { session_id } = (await send(former, 'submitTextRequest', { token, body })).body as { session_id: string };
    await receiver.until(1);
    await former.crash();

    const service = await startService(directory, env);
    const params = { id: session_id };
    const deliveries = await eventually(
      async () => (await send(service, 'listSessionDeliveries', { token, params })).body.data,
      ([delivery]) => delivery?.status === 'delivered',
      120_000,
    );
    expect(deliveries.map(({ attempts }) => attempts.length)).to.deep.equal([2]);
    expect(receiver.requests).to.have.length(2);
    expect((await send(service, 'getSession', { token, params })).body.status).to.equal('completed');
    expect(await providerCalls(standIns.url)).to.have.length(1);
    await service.stop();
  });
});
