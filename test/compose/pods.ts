/** Runs the pods of deploy/kubernetes as containers with the same command, user, restrictions, mounts and probes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { eventually } from '../support/eventually.ts';
import { readSetting, type Engine } from './engine.ts';

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  name: string;
  command: string[];
  envFrom: { secretRef?: { name: string } }[];
  env?: { name: string; value?: string }[];
  securityContext: { readOnlyRootFilesystem: boolean; capabilities: { drop: string[] } };
  resources: { limits: { memory: string } };
  volumeMounts?: { mountPath: string }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}

interface Pod {
  securityContext: { runAsUser: number; runAsGroup: number };
  containers: Container[];
}

interface Manifest {
  kind: string;
  data?: Record<string, string>;
  spec?: { template?: { spec: Pod } };
}

const START_MS = 60_000;

/** Runs each pod until its probes succeed, or its program ends with 0. Returns the names of the pods. */
export async function runPods(engine: Engine): Promise<string[]> {
  const folder = join(engine.folder, 'deploy/kubernetes/base');
  const manifests = readdirSync(folder)
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => document.toJS() as Manifest);
  const config = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
  for (const pod of pods) for (const container of pod.containers) await runPod(engine, config, pod, container);
  return pods.flatMap(({ containers }) => containers.map(({ name }) => name));
}

/** The addresses of this installation, in place of the examples in config.yaml. It has no bucket. */
function settingsOf(engine: Engine, config: Record<string, string>, { envFrom, env = [] }: Container) {
  const secrets = ['DATABASE_PASSWORD'];
  if (envFrom.some(({ secretRef }) => secretRef)) secrets.push('ENCRYPTION_KEYS');
  if (envFrom.some(({ secretRef }) => secretRef?.name === 'conversation-analysis-api')) secrets.push('JWT_SECRETS');
  return {
    ...config,
    ...Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    ...Object.fromEntries(secrets.map((name) => [name, readSetting(engine, name)])),
    DATABASE_URL: 'postgresql://app@postgres:5432/app',
    TEMPORAL_ADDRESS: 'temporal:7233',
    AUDIO_STORE: '/audio',
    WORKER_BUILD_ID: readSetting(engine, 'RELEASE'),
  };
}

async function runPod(engine: Engine, config: Record<string, string>, pod: Pod, container: Container): Promise<void> {
  const { name, command, resources, securityContext, volumeMounts = [] } = container;
  const containerName = `${engine.project}-pod-${name}`;
  const options = [
    `--name ${containerName}`,
    `--network ${engine.project}_data`,
    `--user ${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`,
    '--security-opt no-new-privileges',
    ...securityContext.capabilities.drop.map((capability) => `--cap-drop ${capability}`),
    securityContext.readOnlyRootFilesystem ? '--read-only' : '',
    `--memory ${resources.limits.memory.replace('i', '').toLowerCase()}`,
    `-v ${engine.project}_audio:/audio`,
    ...volumeMounts.map(({ mountPath }) => `--tmpfs ${mountPath}:uid=${pod.securityContext.runAsUser}`),
    ...Object.entries(settingsOf(engine, config, container)).map(([key, value]) => `-e '${key}=${value}'`),
  ].join(' ');
  const image = `conversation-analysis-service:${readSetting(engine, 'RELEASE')}`;
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe].flatMap(
    (probe) => probe ?? [],
  );
  try {
    // A job ends. Other pods run until their probes succeed.
    await engine.sh(`docker run ${probes.length > 0 ? '--detach' : ''} ${options} ${image} ${command.join(' ')}`);
    for (const { httpGet } of probes) {
      const port = container.ports?.find(({ name: portName }) => portName === httpGet.port)?.containerPort;
      const probe = `fetch('http://127.0.0.1:${port}${httpGet.path}').then((r) => console.log(r.status), () => console.log(0))`;
      const read = async () => (await engine.sh(`docker exec ${containerName} node -e "${probe}"`)).trim();
      await eventually(read, '200', START_MS, 1_000);
    }
  } finally {
    await engine.sh(`docker rm --force ${containerName} || true`);
  }
}
