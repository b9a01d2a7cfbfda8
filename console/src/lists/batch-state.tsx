import type { BatchSummary } from 'conversation-analysis-client';
import { Status } from '../components/status.tsx';

/** Shows the status of a batch, whether it waits for a person, and whether sessions of a completed batch failed. */
export const BatchState = ({ batch: { status, failed, held_by } }: { batch: BatchSummary }) => (
  <Status
    name={
      status === 'running' && held_by !== null
        ? 'paused'
        : status === 'completed' && failed > 0
          ? 'completed_with_failures'
          : status
    }
  />
);
