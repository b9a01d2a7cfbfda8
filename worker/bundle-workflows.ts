/** Prints the workflow bundle; `--traced`: with tracing. Runs as a separate process, because the bundler leaks 100 MB. */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  logger: new DefaultLogger('WARN'),
  workflowInterceptorModules: process.argv.includes('--traced')
    ? [fileURLToPath(import.meta.resolve('@temporalio/interceptors-opentelemetry-v2/lib/workflow-interceptors.js'))]
    : [],
});
process.stdout.write(code);
