/** `npm run build:workflows`: builds the workflow bundles ahead, so that no start has to. */
import { loadWorkflowBundle } from './workflow-bundle.ts';

await Promise.all([loadWorkflowBundle(), loadWorkflowBundle({ isTraced: true })]);
