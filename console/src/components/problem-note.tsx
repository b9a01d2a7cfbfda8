import { TriangleAlert } from 'lucide-react';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './problem-note.module.css';

interface ProblemProps {
  error: unknown;
  /** Repeats the call. Shown as a button if a retry can succeed. */
  onRetry?: (() => void) | undefined;
  /** In a form, the inputs show their errors. Elsewhere, the problem lists them. */
  isOfForm?: boolean;
}

/** Returns whether the same call can succeed later. */
const canSucceedLater = (status: number) => status < 400 || status >= 500 || status === 408 || status === 429;

/** Shows why a call failed, with the request ID for the log. */
export function Problem({ error, onRetry, isOfForm = false }: ProblemProps) {
  const { status, title, detail, request_id, errors = [] } = toFailure(error);
  return (
    <div className={styles['problem']} role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div className={styles['text']}>
        <strong>{title}</strong>
        <p>{detail}</p>
        {!isOfForm &&
          errors.map(({ path, message }) => (
            <p key={path}>
              <code>{path}</code> {message}
            </p>
          ))}
        {request_id && status >= 500 && <span className={styles['request']}>{texts.common.requestId(request_id)}</span>}
      </div>
      {onRetry && canSucceedLater(status) && <Button onClick={onRetry}>{texts.common.tryAgain}</Button>}
    </div>
  );
}
