/** Runs the commands of `npm run user` in this process, because a process of its own takes a second. */
import { runUserCommand } from '../../api/account/user-commands.ts';
import { createMailer } from '../../api/mail/mailer.ts';
import type { Environment } from '../../runtime/settings/environment.ts';
import { StartError } from '../../runtime/process/process.ts';
import { testConfig } from './api.ts';
import { silentLog } from './log.ts';

/** Returns what the command prints to its output and, if it fails, as its error. */
export async function operate(
  args: readonly string[],
  { env = {}, password = '' }: { env?: Environment; password?: string } = {},
) {
  const config = testConfig(env);
  const mailer = config.mail && createMailer(config.mail, silentLog);
  try {
    const output = await runUserCommand({ config, mailer, readPassword: async () => password }, args);
    return { output, errors: '' };
  } catch (error) {
    if (error instanceof StartError) return { output: '', errors: error.message };
    throw error;
  } finally {
    await mailer?.stop();
  }
}
