import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createOwner } from '../support/factories.ts';
import { newFolder } from '../support/new-folder.ts';
import { useSharedService } from '../support/shared-service.ts';

const run = promisify(execFile);
const README = readFileSync('clients/typescript/README.md', 'utf8');

describe('The packed TypeScript client', () => {
  const service = useSharedService();

  it('installs in an empty project as its README says, compiles there, and analyzes a dialogue', async () => {
    const project = newFolder();
    const pack = /`(npm pack \.[^`]*)`/.exec(README)?.[1]?.split(' ').slice(1) ?? [];
    await run('npm', [...pack, '--pack-destination', project]);
    writeFileSync(join(project, 'package.json'), '{"name": "empty", "type": "module"}');
    const install = /`npm (install [^`]*)`/.exec(README)?.[1]?.split(' ') ?? [];
    await run('npm', [...install, '--offline', '--no-audit', '--no-fund'], { cwd: project });

    const program = /```ts\n([^]*?)```/.exec(README)?.[1] ?? '';
    mkdirSync(join(project, 'src'));
    const local = program.replace('https://example.com', service.api.url);
    writeFileSync(join(project, 'src/main.ts'), `declare const process: { env: Record<string, string> };\n${local}`);
    const options = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      '',
      '--outDir',
      'dist',
    ];
    await run(join(process.cwd(), 'node_modules/.bin/tsc'), [...options, 'src/main.ts'], { cwd: project });

    const { token, assistant } = await createOwner();
    const env = { ...process.env, API_TOKEN: token };
    const { stdout, stderr } = await run(process.execPath, ['dist/main.js'], { cwd: project, env });
    expect(stderr).to.equal('');
    expect(stdout.trim()).to.have.length.greaterThan(3).and.not.equal('undefined');
    const refused = await run(process.execPath, ['dist/main.js'], {
      cwd: project,
      env: { ...env, API_TOKEN: 'cas_x' },
    });
    expect(refused.stderr).to.contain('401 unauthorized');

    writeFileSync(join(project, 'call.txt'), 'client: My parcel has not arrived.');
    const command = ['conversation-analysis-client', 'submit', '--assistant', assistant.id, 'call.txt'];
    const submitted = await run('npx', command, { cwd: project, env: { ...env, API_URL: service.api.url } });
    expect(JSON.parse(submitted.stdout)).to.include({ file: 'call.txt', status: 'completed', error: null });
  });
});
