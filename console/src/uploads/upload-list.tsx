import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useEffect } from 'react';
import { listSessionsOptions } from 'conversation-analysis-client/react-query';
import { UNFINISHED_SESSION_STATUSES } from '../../../contract/values/constants.ts';
import { Button } from '../components/button.tsx';
import { Status } from '../components/status.tsx';
import { formatBytes, formatPercent } from '../format/numbers.ts';
import { useEvent, usePollInterval } from '../live/events.ts';
import { sentenceOf, toFailure } from '../server/problem.ts';
import {
  clearUploads,
  setSessionStatus,
  retryFailedUploads,
  stopUploads,
  useUploads,
  type Upload,
} from './upload-queue.ts';
import styles from './uploads.module.css';
import { texts } from '../texts/index.ts';

const words = texts.uploads;

const failedFirst = (a: Upload, b: Upload) => Number(b.state === 'failed') - Number(a.state === 'failed');

/** Shows the progress of each upload and of all uploads. Failed uploads come first, with the reason. */
export function UploadList() {
  const uploads = useUploads();
  useSessionStatuses(uploads);
  if (uploads.length === 0) return null;
  const totalBytes = uploads.reduce((sum, { file }) => sum + file.size, 0) || 1;
  const sentBytes = uploads.reduce((sum, { file, progress }) => sum + file.size * progress, 0);
  const count = (state: Upload['state']) => uploads.filter((upload) => upload.state === state).length;
  const isUnfinished = count('waiting') + count('sending') > 0;
  return (
    <section className="stack" aria-label={words.title}>
      <div className={`row apart ${styles['head']}`}>
        <span role="status">{words.summary(count('accepted'), uploads.length, count('failed'))}</span>
        <span className="row">
          {count('failed') > 0 && (
            <Button look="primary" onClick={retryFailedUploads}>
              {words.retryFailed(count('failed'))}
            </Button>
          )}
          {isUnfinished ? (
            <Button onClick={stopUploads}>{texts.labels.stop}</Button>
          ) : (
            <Button onClick={clearUploads}>{words.clear}</Button>
          )}
        </span>
      </div>
      <progress value={sentBytes / totalBytes} aria-label={words.all}>
        {formatPercent(sentBytes / totalBytes)}
      </progress>
      <ul className={styles['list']} tabIndex={0} aria-label={words.title}>
        {uploads.toSorted(failedFirst).map((upload) => (
          <Row key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

/** Memoized, because there may be hundreds of rows. */
const Row = memo(function Row({ upload }: { upload: Upload }) {
  const { file, state, progress, sessionId, status, isReplayed } = upload;
  return (
    <li className={styles['row']}>
      <span className="cut" dir="auto" title={file.name}>
        {sessionId ? (
          <Link to="/sessions/$sessionId" params={{ sessionId }}>
            {file.name}
          </Link>
        ) : (
          file.name
        )}{' '}
        <small>
          {formatBytes(file.size)}
          {isReplayed && `, ${words.replayed}`}
        </small>
      </span>
      <progress value={progress} aria-label={words.progressOf(file.name)} />
      {state === 'accepted' && status ? <Status name={status} /> : <span>{words.states[state]}</span>}
      {state === 'failed' && <span className={styles['why']}>{reasonOf(upload)}</span>}
    </li>
  );
});

function reasonOf({ file, error }: Upload): string {
  if (error instanceof DOMException) return words.unreadable;
  if (file.size === 0) return words.empty(file.name);
  const { status, title, detail, errors = [] } = toFailure(error);
  if (status === 0) return title;
  const reasons = errors.map(({ message }) => (detail.includes(message) ? detail : sentenceOf(message)));
  return reasons.join(' ') || `${title}. ${detail}`;
}

/** Updates the session statuses from events. While the stream is down, polls the newest sessions. */
function useSessionStatuses(uploads: readonly Upload[]): void {
  useEvent('session', ({ session_id, status }) => setSessionStatus(session_id, status));
  const isUnfinished = uploads.some(({ status }) => UNFINISHED_SESSION_STATUSES.some((each) => each === status));
  const refetchInterval = usePollInterval();
  const { data, dataUpdatedAt } = useQuery({
    ...listSessionsOptions({ query: { limit: 200 } }),
    enabled: isUnfinished,
    refetchInterval,
  });
  useEffect(() => {
    for (const { session_id, status } of data?.data ?? []) setSessionStatus(session_id, status);
    // Also after an equal response: an upload may have been accepted in between, with an older status.
  }, [data, dataUpdatedAt]);
}
