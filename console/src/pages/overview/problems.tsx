import { Link } from '@tanstack/react-router';
import type { FailingReceiver } from 'conversation-analysis-client';
import { formatNumber } from '../../format/numbers.ts';
import type { OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { words } from './words.ts';
import budgetStyles from '../../budget/budget-panel.module.css';
import { wordLastFailure } from './failing-receivers.tsx';

/** Number of receivers that are named. The table below has all. */
const MAX_SHOWN = 3;

interface ProblemsProps {
  receivers: readonly FailingReceiver[];
  /** Number of failed sessions. */
  failed: number;
  range: OverviewRange;
}

/** What failed in the period, before all figures. */
export function Problems({ receivers, failed, range }: ProblemsProps) {
  if (failed === 0 && receivers.length === 0) return null;
  return (
    <ul className={`row ${budgetStyles['notice']}`} aria-label={texts.status.failed}>
      {failed > 0 && (
        <li>
          <Link to="/sessions" search={{ status: 'failed', range }}>
            {words.failed.sessions}: {formatNumber(failed)}
          </Link>
        </li>
      )}
      {receivers.slice(0, MAX_SHOWN).map((receiver) => (
        <li key={receiver.host}>
          <Link to="/deliveries" search={{ status: receiver.retrying > 0 ? 'pending' : 'failed', range }}>
            <bdi>{receiver.host}</bdi>: {wordLastFailure(receiver)}
          </Link>
          {receiver.retrying > 0 && ` · ${words.retrying(formatNumber(receiver.retrying))}`}
        </li>
      ))}
    </ul>
  );
}
