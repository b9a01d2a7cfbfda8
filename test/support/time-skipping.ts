/** Temporal's time-skipping test server: waits of minutes pass in milliseconds, for everybody on it, so each process has one. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheDir } from '../../local/cache-dir.ts';
import { findOnPath } from '../../local/temporal-cli.ts';
import { installTemporalRuntime } from '../../runtime/temporal/runtime.ts';
import { silentLog } from './log.ts';
import { endWithRun } from './run.ts';

const VERSION = '1.38.0';

let starting: Promise<TestWorkflowEnvironment> | undefined;

/** Getting the server may take a minute on a machine that never had it: call it in a `before` without a time-out. */
export function timeSkipping(): Promise<TestWorkflowEnvironment> {
  return (starting ??= start());
}

/** In this order: `TEMPORAL_TEST_SERVER_PATH`, the project's cache, the SDK's download, Maven Central. */
async function start(): Promise<TestWorkflowEnvironment> {
  installTemporalRuntime(silentLog);
  const directory = cacheDir(process.env);
  const wrapper = join(directory, `temporal-test-server-${VERSION}`);
  const existing = process.env['TEMPORAL_TEST_SERVER_PATH'] ?? (existsSync(wrapper) ? wrapper : undefined);
  if (existing) return createEnvironment({ type: 'existing-path', path: existing });
  try {
    return await createEnvironment({ type: 'cached-download', downloadDir: directory });
  } catch {
    console.log('Temporal test server: the download is not possible here; fetching it with Maven …');
    fetchWithMaven(directory, wrapper);
    return createEnvironment({ type: 'existing-path', path: wrapper });
  }
}

type Executable = { type: 'existing-path'; path: string } | { type: 'cached-download'; downloadDir: string };

async function createEnvironment(executable: Executable): Promise<TestWorkflowEnvironment> {
  const environment = await inTime(() => TestWorkflowEnvironment.createTimeSkipping({ server: { executable } }));
  findChildren(/test-?server/i).forEach(endWithRun);
  return environment;
}

/** The SDK gives the server five seconds, which a JVM on a busy machine may not keep at first. */
async function inTime<T>(start: () => Promise<T>, starts = 6): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (starts === 1) throw error;
    return inTime(start, starts - 1);
  }
}

/** Returns the ids of this process's children whose command line matches: the SDK does not tell that of its server. */
function findChildren(command: RegExp): number[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).split('\n');
  const children = lines.map((line) => line.trim().split(/\s+/)).filter(([parent]) => Number(parent) === process.pid);
  return children.filter((words) => command.test(words.slice(2).join(' '))).map(([, pid]) => Number(pid));
}

/** The server is a Java program on Maven Central; the SDK wants one file to run. */
function fetchWithMaven(directory: string, wrapper: string): void {
  if (!findOnPath(process.env, 'mvn') || !findOnPath(process.env, 'java')) {
    throw new Error(
      'The time-skipping test server can neither be downloaded nor, without Maven and Java, fetched from Maven Central. ' +
        'Install both (Debian: apt-get install -y maven default-jre-headless) or set TEMPORAL_TEST_SERVER_PATH.',
    );
  }
  const target = join(directory, `test-server-${VERSION}`);
  const work = `${target}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const dependency = (group: string, artifact: string, version: string) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  writeFileSync(
    join(work, 'pom.xml'),
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' +
      '<groupId>local</groupId><artifactId>test-server</artifactId><version>1</version><dependencies>' +
      dependency('io.temporal', 'temporal-test-server', VERSION) +
      dependency('org.slf4j', 'slf4j-nop', '1.7.36') +
      '</dependencies></project>',
  );
  execFileSync('mvn', ['--batch-mode', '--quiet', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], {
    cwd: work,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  rmSync(target, { recursive: true, force: true });
  renameSync(work, target);
  writeFileSync(
    wrapper,
    `#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '${target}/lib/*' io.temporal.testserver.TestServer "$@"\n`,
  );
  chmodSync(wrapper, 0o755);
}
