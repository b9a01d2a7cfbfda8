/** Runs Keycloak, an OpenID Connect provider that is independent of the client library and of test/support/oidc.ts. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { API_BASE } from '../../contract/values/constants.ts';
import { cacheDir, fetchOnce } from '../../local/fetch-once.ts';
import type { Say } from '../../local/fetch-once.ts';
import { supervise } from '../../local/supervise.ts';
import { findOnPath } from '../../local/temporal-cli.ts';
import { StartError } from '../../runtime/process.ts';
import { silentLog } from '../support/log.ts';
import { PUBLIC_URL } from '../support/sso-browser.ts';
import { nextPort } from './ports.ts';

const VERSION = '26.4.0';
const START_TIMEOUT_MS = 600_000;
export const PERSON = { username: 'grace', email: 'grace@example.com', password: 'a password for keycloak' };
export const GROUP = 'support';
const CLIENT = { clientId: 'calls', secret: 'of-the-client' };
const ADMIN = { username: 'admin', password: 'of-the-admin' };

export interface Keycloak {
  /** Settings for an API that uses it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts Keycloak with a client and a user in a group. @param directory folder for the log. */
export async function startKeycloak(directory: string, say: Say): Promise<Keycloak> {
  const home = await findKeycloak(process.env, say);
  const url = `http://127.0.0.1:${await nextPort()}`;
  say('Keycloak: starting (1 to 5 minutes) …');
  const server = await supervise(
    {
      name: 'Keycloak',
      // Not with `kc.sh start`, which runs a child process that outlives the shell. cspell:ignore Djava logmanager
      command: 'java',
      args: [
        '-Xmx512m',
        `-Dkc.home.dir=${home}`,
        '-Djava.util.logging.manager=org.jboss.logmanager.LogManager',
        '-cp',
        join(home, 'lib', 'quarkus-run.jar'),
        'io.quarkus.bootstrap.runner.QuarkusEntryPoint',
        'start',
        '--optimized',
        '--http-enabled=true',
        '--http-host=127.0.0.1',
        '--cache=local',
        `--http-port=${new URL(url).port}`,
        `--hostname=${url}`,
      ],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      },
      pidFile: join(directory, 'run', 'keycloak.pid'),
      logFile: join(directory, 'run', 'keycloak.log'),
      stopSignal: 'SIGTERM',
      isReady: () =>
        fetch(`${url}/realms/master`).then(
          ({ ok }) => ok,
          () => false,
        ),
      isKeptUp: false,
      readyTimeoutMs: START_TIMEOUT_MS,
    },
    silentLog,
  );
  await createRealm(url);
  return { env: settingsOf(url), stop: () => server.stop() };
}

const settingsOf = (url: string) => ({
  PUBLIC_URL,
  OIDC_ISSUER: `${url}/realms/acme`,
  OIDC_CLIENT_ID: CLIENT.clientId,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_AUTO_CREATE: 'true',
});

/** Returns the program's folder in the project's cache. Downloads this version with Maven if necessary. */
async function findKeycloak(env: Record<string, string | undefined>, say: Say): Promise<string> {
  const target = join(cacheDir(env), `keycloak-${VERSION}`);
  return fetchOnce(target, { title: 'Keycloak', say }, async (folder) => {
    const missing = ['java', 'mvn'].filter((program) => findOnPath(env, program) === undefined);
    if (missing.length > 0) throw new StartError(`Keycloak needs ${missing.join(' and ')}: install Java 17 and Maven.`);
    say('Keycloak: downloading it from Maven (once; 160 MB) …');
    const run = promisify(execFile);
    const artifact = `artifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`;
    await run('mvn', ['-B', '-q', 'dependency:copy', '-D', artifact, '-D', `outputDirectory=${folder}`]);
    await run('tar', ['-xzf', `keycloak-quarkus-dist-${VERSION}.tar.gz`], { cwd: folder });
    const home = join(folder, `keycloak-${VERSION}`);
    await run(join(home, 'bin', 'kc.sh'), ['build', '--db=dev-mem', '--features-disabled=impersonation,kerberos']);
    return home;
  });
}

async function createRealm(url: string): Promise<void> {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN });
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  const { access_token } = (await answer.json()) as { access_token: string };
  const created = await fetch(`${url}/admin/realms`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(REALM),
  });
  if (created.status !== 201) throw new Error(`Keycloak refused the realm: ${await created.text()}`);
}

/** Configured as in docs/sign-in.md. */
const REALM = {
  realm: 'acme',
  enabled: true,
  groups: [{ name: GROUP }],
  clients: [
    {
      ...CLIENT,
      redirectUris: [`${PUBLIC_URL}${API_BASE}/v1/auth/oidc/callback`],
      attributes: { 'post.logout.redirect.uris': `${PUBLIC_URL}/console/login` },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
  users: [
    {
      username: PERSON.username,
      email: PERSON.email,
      emailVerified: true,
      enabled: true,
      firstName: 'Grace',
      lastName: 'Hopper',
      groups: [GROUP],
      credentials: [{ type: 'password', value: PERSON.password }],
    },
  ],
};
