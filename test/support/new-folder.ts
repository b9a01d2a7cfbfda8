import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { runDirectory } from './run.ts';

/** Returns the path of a new, empty folder. It is removed at the end of the run. */
export const newFolder = (): string => mkdtempSync(join(runDirectory(), 'folder-'));
