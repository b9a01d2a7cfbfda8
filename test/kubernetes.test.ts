import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';

const BASE = new URL('../deploy/kubernetes/base/', import.meta.url);

interface Container {
  name: string;
  envFrom?: { secretRef?: { name: string } }[];
  env?: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
}

interface Manifest {
  kind: string;
  spec?: { template?: { spec: { containers: Container[] } } };
}

/** The secrets that each process can read. */
const SECRETS_OF: Record<string, string[]> = {
  api: ['conversation-analysis', 'conversation-analysis-api'],
  // Only the API signs logins, sends emails and uses single sign-on.
  worker: ['conversation-analysis'],
  migrate: ['conversation-analysis/DATABASE_PASSWORD'],
  release: ['conversation-analysis/TEMPORAL_API_KEY'],
};

describe('deploy/kubernetes', () => {
  const manifests = readdirSync(BASE)
    .flatMap((name) => parseAllDocuments(readFileSync(new URL(name, BASE), 'utf8')))
    .map((document) => document.toJS() as Manifest);

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
});
