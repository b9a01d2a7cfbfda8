import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createAnswered, createOwner } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const PROGRAM = fileURLToPath(new URL('../../clients/results/main.ts', import.meta.url));

describe('npm run results', () => {
  const api = useTestApi();

  it('prints the results by a key of the metadata, and says what is wrong with its arguments', async () => {
    const fields = [{ name: 'resolved', type: 'boolean' as const, description: 'Was it?', evidence: true }];
    const { token, assistant } = await createOwner({ fields });
    await createAnswered(assistant, { resolved: true }, { metadata: { agent: 'Eve' } });
    const run = (...args: string[]) =>
      new Promise<{ code: number; output: string; errors: string }>((resolve) => {
        const env = { ...process.env, API_URL: api.url, API_TOKEN: token };
        execFile(process.execPath, [PROGRAM, ...args], { env }, (error, output, errors) =>
          resolve({ code: Number(error?.code ?? 0), output, errors }),
        );
      });
    const printed = await run('--assistant', assistant.id, '--by', 'agent', '--delimiter', 'tab');
    expect(printed.errors).to.equal('');
    expect(printed.output).to.contain('resolved\t\tmetadata.agent\tEve\tfalse\tvalue\ttrue\t1\t1\t1');
    expect((await run('--help')).output).to.contain('Usage: npx conversation-analysis-client results');
    for (const [args, message] of [
      [['--by', 'agent'], '--assistant is required'],
      [['--assistant', assistant.id, '--by', 'team'], 'team'],
      [['--assistant', assistant.id, '--token', 'wrong'], 'token'],
      [['--nonsense'], '--nonsense'],
    ] as const) {
      const { code, errors } = await run(...args);
      expect(errors, args.join(' ')).to.contain(message);
      expect(code).to.equal(2);
    }
  });
});
