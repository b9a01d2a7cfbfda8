import { join } from 'node:path';
import { isCurrent } from '../scripts/is-current.ts';

const SOURCES = ['console', 'contract', 'clients', 'examples', 'package-lock.json'];

/** Returns whether console/dist in the project folder `root` is newer than every source of the console. */
export const isBuilt = (root: string) =>
  isCurrent(
    join(root, 'console/dist/theme.js'),
    SOURCES.map((source) => join(root, source)),
  );
