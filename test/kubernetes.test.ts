import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { DEPLOYMENT, TASK_QUEUE, transcriptionQueueOf } from '../contract/workflows.ts';

const FOLDER = fileURLToPath(new URL('../deploy/kubernetes', import.meta.url));

interface Container {
  name: string;
  envFrom?: { secretRef?: { name: string } }[];
  env?: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
}

interface Manifest {
  kind: string;
  metadata?: { name: string };
  spec?: {
    template?: { spec: { containers: Container[] } };
    triggers?: { type: string; metadata: Record<string, string> }[];
  };
}

/** The secrets that each process can read. */
const SECRETS_OF: Record<string, string[]> = {
  api: ['conversation-analysis', 'conversation-analysis-api'],
  // Only the API signs logins, sends emails and uses single sign-on.
  worker: ['conversation-analysis'],
  migrate: ['conversation-analysis/DATABASE_PASSWORD'],
  release: ['conversation-analysis/TEMPORAL_API_KEY'],
};

const readManifests = (folder: string) =>
  globSync(['base/*.yaml', 'overlays/*/*.yaml'], { cwd: folder })
    .toSorted()
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => document.toJS() as Manifest);

describe('deploy/kubernetes', () => {
  const manifests = readManifests(FOLDER);

  it('gives each process its own secrets only', () => {
    const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    const given = containers.map(({ name, envFrom = [], env = [] }) => [
      name,
      [
        ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
        ...env.flatMap(({ valueFrom: { secretKeyRef: one } = {} }) => (one ? `${one.name}/${one.key}` : [])),
      ],
    ]);
    expect(Object.fromEntries(given)).to.deep.equal(SECRETS_OF);
  });

  it('scales workers by the length of each of their task queues', () => {
    const triggers = manifests.flatMap(({ spec }) => spec?.triggers ?? []).filter(({ type }) => type === 'temporal');
    expect(triggers.map(({ metadata }) => metadata.taskQueue)).to.have.members([
      TASK_QUEUE,
      transcriptionQueueOf(TASK_QUEUE),
    ]);
    expect(new Set(triggers.map(({ metadata }) => metadata.workerDeploymentName))).to.deep.equal(new Set([DEPLOYMENT]));
  });

  // Pods use the names of Deployments and jobs as host names, which the API server warns about if they contain a dot.
  it('names everything by DNS labels', () => {
    for (const { metadata } of manifests) expect(metadata?.name ?? 'none').to.match(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
  });

  describe('the upgrade command of the page', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'kubernetes-'));
      cpSync(FOLDER, folder, { recursive: true });
    });
    after(() => rmSync(folder, { recursive: true }));

    it('replaces each name of the former release, and no address', () => {
      const config = join(folder, 'base/config.yaml');
      writeFileSync(config, readFileSync(config, 'utf8').replace('postgres.example.internal', '10.1.0.5'));
      const command = /^ *(sed -i .*)$/m.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[1];
      execFileSync('sh', ['-c', command ?? 'false'], { cwd: folder });

      const text = JSON.stringify(readManifests(folder));
      expect(text)
        .to.contain('@10.1.0.5:')
        .and.not.match(/\b0[.-]1[.-]0\b/);
      const namesOf = (list: Manifest[]) => list.map(({ metadata }) => metadata?.name);
      expect(namesOf(readManifests(folder))).to.deep.equal(
        namesOf(manifests).map((name) => name?.replace('0-1-0', '0-2-0')),
      );
    });
  });
});
