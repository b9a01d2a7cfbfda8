/** `npm run build:workflows`: builds the workflow bundles before the first start. */
import { loadWorkflowBundle } from './workflow-bundle.ts';

await Promise.all([loadWorkflowBundle(), loadWorkflowBundle({ isTraced: true })]);
