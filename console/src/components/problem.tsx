import { TriangleAlert } from 'lucide-react';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './problem.module.css';

interface ProblemProps {
  error: unknown;
  /** Given where trying again may help. */
  onRetry?: (() => void) | undefined;
}

/** Says what went wrong with a call, in the API's own words; the request id finds it in the log. */
export function Problem({ error, onRetry }: ProblemProps) {
  const { kind, title, detail, requestId } = toFailure(error);
  return (
    <div className={styles['problem']} role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div className={styles['text']}>
        <strong>{kind === 'away' ? texts.problem.away : title}</strong>
        <p>{kind === 'away' ? texts.problem.awayDetail : detail}</p>
        {requestId && <span className={styles['request']}>{texts.common.requestId(requestId)}</span>}
      </div>
      {onRetry && <Button onClick={onRetry}>{texts.common.tryAgain}</Button>}
    </div>
  );
}
