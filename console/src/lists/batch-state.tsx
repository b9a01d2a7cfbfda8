import type { BatchSummary } from 'conversation-analysis-client';
import type { Column } from '../components/data-table.tsx';
import { Status } from '../components/status.tsx';
import { Money, Time } from '../components/values.tsx';
import { texts } from '../texts/index.ts';

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

/** The last columns of a list of batches. */
export const COST_AND_START: Column<BatchSummary>[] = [
  {
    key: 'cost',
    title: texts.sessions.cost,
    align: 'end',
    isSecondary: true,
    cell: ({ cost_usd }) => <Money usd={cost_usd} />,
  },
  {
    key: 'started',
    title: texts.sessions.started,
    isSecondary: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];
