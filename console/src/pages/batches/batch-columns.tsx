import { Link } from '@tanstack/react-router';
import type { Batch } from '../../../../clients/typescript/src/index.ts';
import { sayFilter } from '../../batches/batch-filter.ts';
import type { Column } from '../../components/data-table.tsx';
import { Status } from '../../components/status.tsx';
import { Money, Time } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import styles from '../lists/list.module.css';

const words = texts.batches;

/** Returns the columns of the list of batches. @param assistants the user's, by their ids. */
export const columnsOf = (assistants: readonly { value: string; label: string }[]): Column<Batch>[] => [
  { key: 'status', title: words.status, cell: ({ status }) => <Status name={status} /> },
  {
    key: 'what',
    title: words.what,
    isWide: true,
    cell: ({ batch_id, action, filter }) => (
      <div className={styles['what']}>
        <Link to="/batches/$batchId" params={{ batchId: batch_id }}>
          {words.actions[action]}
        </Link>
        <span className={styles['below']}>
          {sayFilter(filter, (id) => assistants.find(({ value }) => value === id)?.label)
            .map((pair) => pair.join(': '))
            .join(' · ') || words.everything}
        </span>
      </div>
    ),
  },
  {
    key: 'done',
    title: words.done,
    align: 'end',
    cell: ({ completed, failed, canceled, total }) => (
      <span className={styles['oneLine']}>
        {words.of(formatNumber(completed + failed + canceled), formatNumber(total))}
      </span>
    ),
  },
  { key: 'cost', title: words.cost, align: 'end', isSecondary: true, cell: (row) => <Money usd={row.cost_usd} /> },
  { key: 'begun', title: words.begun, isSecondary: true, cell: ({ created_at }) => <Time at={created_at} /> },
];
