import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BUNDLER = fileURLToPath(new URL('./bundle-workflows.ts', import.meta.url));
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;

/** The workflows, bundled for the worker's sandbox; takes about two seconds. */
export async function loadWorkflowBundle({ isTraced = false } = {}): Promise<{ code: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [BUNDLER, ...(isTraced ? ['--traced'] : [])], {
    maxBuffer: MAX_BUNDLE_BYTES,
  });
  return { code: stdout };
}
