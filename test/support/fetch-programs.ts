/** `npm run test:programs`: gets the programs that all test processes share, before the tests start. */
import { findTemporalCli } from '../../local/temporal-cli.ts';
import { runMain } from '../../runtime/process.ts';
import { findBrowser } from './browser.ts';
import { findTimeSkippingServer } from './time-skipping-server.ts';

await runMain(async () => {
  await findTemporalCli(process.env, console.log);
  await findTimeSkippingServer(process.env, console.log);
  await findBrowser();
  // The SDK's runtime of a failed download would keep this process alive.
  process.exit(0);
});
