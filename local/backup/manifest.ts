/** What a copy says about itself, so that it is restored only where it can be read. */
import { createHash, createHmac } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MIGRATIONS } from '../../db/migrate.ts';
import { StartError } from '../../runtime/process.ts';

const FILE = 'manifest.json';

/** `manifest.json` of a copy. */
export interface Manifest {
  /** `folder`: everything that `npm start` keeps; `servers`: what an installation's servers keep. */
  shape: 'folder' | 'servers';
  /** Commands that took the parts, in their order. */
  parts: { name: string; began_at: string; ended_at: string }[];
  /** Migrations of the release that made the copy. */
  migrations: string[];
  /** Names of the keys that sealed what is in the copy. The keys themselves are not in it. */
  key_ids: string[];
  /** SHA-256 of each file, by its path in the copy. */
  sums: Record<string, string>;
}

/** Returns a name of the key from which the key does not follow. */
export const keyId = (key: Buffer) =>
  createHmac('sha256', key).update('id of an encryption key').digest('hex').slice(0, 16);

/** Completes a copy: it is one only with its manifest. */
export async function writeManifest(folder: string, known: Omit<Manifest, 'migrations' | 'sums'>): Promise<void> {
  const manifest: Manifest = { ...known, migrations: Object.keys(MIGRATIONS), sums: await sumFiles(folder) };
  writeFileSync(join(folder, FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** Returns the manifest of a copy. Throws `StartError` where it can't be restored here: broken, other keys, a newer release. */
export async function readManifest(folder: string, keys: readonly Buffer[]): Promise<Manifest> {
  const manifest = parse(folder);
  const unknown = manifest.migrations.filter((name) => !(name in MIGRATIONS));
  if (unknown.length > 0) {
    throw new StartError(
      `The copy was made by a newer release (its schema has ${unknown.join(', ')}). Restore it with that one.`,
    );
  }
  const ids = keys.map(keyId);
  const missing = manifest.key_ids.filter((id) => !ids.includes(id));
  if (missing.length > 0) {
    throw new StartError(
      `The copy was sealed with other keys (${missing.join(', ')}) than the ones that are set (${ids.join(', ')}): its webhook secrets could not be read.`,
    );
  }
  const sums = await sumFiles(folder);
  const names = new Set([...Object.keys(sums), ...Object.keys(manifest.sums)]);
  const changed = [...names].filter((name) => sums[name] !== manifest.sums[name]);
  if (changed.length > 0) throw new StartError(`The copy is not whole: ${changed.slice(0, 5).join(', ')} changed.`);
  return manifest;
}

function parse(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Manifest;
  } catch {
    throw new StartError(`${folder} has no readable ${FILE}: it is no copy, or one that was not completed.`);
  }
}

async function sumFiles(folder: string): Promise<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const sums: Record<string, string> = {};
  for (const path of paths.filter((each) => each !== FILE).sort()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, path)), hash);
    sums[path] = hash.digest('hex');
  }
  return sums;
}
