/** Downloads or builds the programs that all test processes share, before the tests start. */
import { findTemporalCli } from '../../local/temporal-cli.ts';
import { runMain } from '../../runtime/process/process.ts';
import { findBrowser } from './browser.ts';
import { findTimeSkippingServer } from './time-skipping-server.ts';

await runMain(async () => {
  await findTemporalCli(process.env, console.log);
  await findTimeSkippingServer(process.env, console.log);
  await findBrowser();
  // Otherwise, the SDK's runtime would keep this process alive after a failed download.
  process.exit(0);
});
