import { Link } from '@tanstack/react-router';
import { narrow } from '../../fields/conditions.ts';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import type { ValueRow } from './field-rows.ts';
import styles from './results.module.css';

interface ValueBarsProps {
  name: string;
  label: string;
  rows: readonly ValueRow[];
  /** Answers that none of the rows counts. */
  others: number;
}

/** Bars of a field's values; each leads to the sessions that it counts. */
export function ValueBars({ name, label, rows, others }: ValueBarsProps) {
  const most = Math.max(...rows.map(({ count }) => count), 1);
  return (
    <div>
      <ul className={styles['bars']} aria-label={label}>
        {rows.map((row) => (
          <li key={row.conditions.join()}>
            <Link
              to="."
              search={(search) => ({ ...search, field: narrow(search.field, name, row.conditions) })}
              className={styles['bar']}
            >
              <span className={styles['value']} title={row.label}>
                {row.label}
              </span>
              <span className={styles['track']} aria-hidden>
                <span className={styles['fill']} style={{ width: `${(row.count / most) * 100}%` }} />
              </span>
              <span className={styles['count']}>{formatNumber(row.count)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {others > 0 && <p className={styles['others']}>{texts.results.others(others)}</p>}
    </div>
  );
}
