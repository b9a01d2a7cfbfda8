/**
 * Prints the workflow bundle; `--traced`: with what makes its part of a trace. A process of its own, because the bundler
 * leaves 100 MB of memory behind.
 */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  logger: new DefaultLogger('WARN'),
  workflowInterceptorModules: process.argv.includes('--traced')
    ? [fileURLToPath(import.meta.resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors.js'))]
    : [],
});
process.stdout.write(code);
