import { TriangleAlert } from 'lucide-react';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './problem.module.css';

interface ProblemProps {
  error: unknown;
  /** Given where trying again may help. */
  onRetry?: (() => void) | undefined;
  /** Whether a form shows beside its inputs what was said of them; else it is listed here. */
  isOfForm?: boolean;
}

/** Returns whether the same call may be answered later; one that is refused for what it asks is not. */
const mayPass = (status: number) => status < 400 || status >= 500 || status === 408 || status === 429;

/** Says what went wrong with a call, in the API's own words; the request id finds it in the log. */
export function Problem({ error, onRetry, isOfForm = false }: ProblemProps) {
  const { kind, status, title, detail, requestId, fields } = toFailure(error);
  return (
    <div className={styles['problem']} role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div className={styles['text']}>
        <strong>{kind === 'away' ? texts.problem.away : title}</strong>
        <p>{kind === 'away' ? texts.problem.awayDetail : detail}</p>
        {!isOfForm &&
          Object.entries(fields).map(([path, message]) => (
            <p key={path}>
              <code>{path}</code> {message}
            </p>
          ))}
        {requestId && <span className={styles['request']}>{texts.common.requestId(requestId)}</span>}
      </div>
      {onRetry && mayPass(status) && <Button onClick={onRetry}>{texts.common.tryAgain}</Button>}
    </div>
  );
}
