/** Finds or fetches Temporal's time-skipping test server. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheDir, fetchOnce, type Say } from '../../local/fetch-once.ts';
import { downloadBySdk, findOnPath } from '../../local/temporal-cli.ts';
import { StartError } from '../../runtime/process/process.ts';

const VERSION = '1.38.0';
const TITLE = 'Temporal test server';

type Env = Record<string, string | undefined>;

/**
 * Returns the path of the server: `TEMPORAL_TEST_SERVER_PATH`, otherwise the first that exists of the project's cache, the SDK's
 * download, and Maven Central. Throws `StartError` if there is none.
 */
export async function findTimeSkippingServer(env: Env, say: Say): Promise<string> {
  const given = env['TEMPORAL_TEST_SERVER_PATH'];
  if (given) return given;
  const target = join(cacheDir(env), `time-skipping-server-${VERSION}`);
  const directory = await fetchOnce(target, async (folder) => {
    const fetched = join(folder, 'fetched');
    mkdirSync(fetched);
    say(`${TITLE}: downloading (once; up to a minute) …`);
    const server = { executable: { type: 'cached-download' as const, downloadDir: fetched } };
    const downloaded = await downloadBySdk(fetched, () => TestWorkflowEnvironment.createTimeSkipping({ server }));
    if (downloaded === undefined) await fetchWithMaven(fetched, env);
    else renameSync(downloaded, join(fetched, 'server'));
    return fetched;
  });
  return join(directory, 'server');
}

/** The server is a Java program on Maven Central. The SDK needs one file to run, so a script starts it. */
async function fetchWithMaven(directory: string, env: Env): Promise<void> {
  if (!findOnPath(env, 'mvn') || !findOnPath(env, 'java')) {
    throw new StartError(
      'The time-skipping test server can neither be downloaded nor, without Maven and Java, fetched from Maven Central. ' +
        'Install both (Debian: apt-get install -y maven default-jre-headless) or set TEMPORAL_TEST_SERVER_PATH.',
    );
  }
  const dependency = (group: string, artifact: string, version: string) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  writeFileSync(
    join(directory, 'pom.xml'),
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' +
      '<groupId>local</groupId><artifactId>test-server</artifactId><version>1</version><dependencies>' +
      dependency('io.temporal', 'temporal-test-server', VERSION) +
      dependency('org.slf4j', 'slf4j-nop', '1.7.36') +
      '</dependencies></project>',
  );
  const args = ['--batch-mode', '--quiet', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
  try {
    await promisify(execFile)('mvn', args, { cwd: directory, env });
  } catch (error) {
    const { stdout, message } = error as Error & { stdout?: string };
    throw new StartError(`Maven could not fetch the time-skipping test server.\n${stdout || message}`);
  }
  const script = join(directory, 'server');
  const java = 'java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
  writeFileSync(script, `#!/bin/sh\nexec ${java} -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"\n`);
  chmodSync(script, 0o755);
}
