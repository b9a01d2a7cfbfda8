import type { BatchSummary } from 'conversation-analysis-client';
import { Status } from '../../components/status.tsx';

/** Shows the status of a batch, and whether sessions of a completed batch failed. */
export const BatchState = ({ batch: { status, failed } }: { batch: BatchSummary }) => (
  <Status name={status === 'completed' && failed > 0 ? 'completed_with_failures' : status} />
);
