import { fileURLToPath } from 'node:url';
import { runCommand } from '../../support/run-command.ts';

const PROGRAM = fileURLToPath(new URL('process-program.ts', import.meta.url));

describe('A start that fails unexpectedly', () => {
  it('prints one line that names the causes', async () => {
    const { errors, code } = await runCommand(process.execPath, [PROGRAM], { LOG_LEVEL: 'info' });
    expect(code).to.equal(1);
    expect(errors).to.equal(
      'Failed: Failed to describe schedule: 4 DEADLINE_EXCEEDED: timeout. Set LOG_LEVEL=debug to see the stack trace.\n',
    );
  });

  it('shows the stack trace with LOG_LEVEL=debug', async () => {
    const { errors, code } = await runCommand(process.execPath, [PROGRAM], { LOG_LEVEL: 'debug' });
    expect(code).to.equal(1);
    expect(errors).to.match(/process-program\.ts:\d+:\d+/);
  });
});
