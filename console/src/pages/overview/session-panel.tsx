import { Link } from '@tanstack/react-router';
import type { StatsTotals } from '../../../../clients/typescript/src/index.ts';
import { SESSION_STATUSES } from '../../../../contract/constants.ts';
import { Figure, Figures } from '../../components/figures.tsx';
import { Status } from '../../components/status.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import type { OverviewRange } from './overview-search.ts';
import styles from './overview.module.css';

/** Sessions by what they are now. */
export function SessionPanel({ counts, range }: { counts: StatsTotals['sessions']; range: OverviewRange }) {
  return (
    <section className={styles['section']}>
      <h2>{texts.lists.sessions}</h2>
      <Figures>
        {SESSION_STATUSES.map((status) => (
          <Figure key={status} label={<Status name={status} />}>
            <Link
              to="/sessions"
              search={{ status, range }}
              aria-label={texts.overview.sessionsOf(formatNumber(counts[status]), texts.status[status])}
            >
              {formatNumber(counts[status])}
            </Link>
          </Figure>
        ))}
      </Figures>
    </section>
  );
}
