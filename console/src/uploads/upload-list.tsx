import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useEffect } from 'react';
import { listSessionsOptions } from '../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { FINAL_SESSION_STATUSES } from '../../../contract/constants.ts';
import { Button } from '../components/button.tsx';
import { ProgressBar } from '../components/progress-bar.tsx';
import { Status } from '../components/status.tsx';
import { formatBytes, formatPercent } from '../format/numbers.ts';
import { useEvent, usePollInterval } from '../live/events.ts';
import type { SessionEvent } from '../live/events.ts';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';
import { clearUploads, noteSessionStatus, retryFailedUploads, stopUploads, useUploads } from './upload-queue.ts';
import type { Upload } from './upload-queue.ts';
import styles from './uploads.module.css';

const words = texts.uploads;

const isFinal = (status: string) => FINAL_SESSION_STATUSES.some((final) => final === status);

const failedFirst = (a: Upload, b: Upload) => Number(b.state === 'failed') - Number(a.state === 'failed');

/** A bar for each recording and one for all; what failed stands first, with its reason and one button to try it again. */
export function UploadList() {
  const uploads = useUploads();
  useSessionStatuses(uploads);
  if (uploads.length === 0) return null;
  const totalBytes = uploads.reduce((sum, { file }) => sum + file.size, 0) || 1;
  const sentBytes = uploads.reduce((sum, { file, progress }) => sum + file.size * progress, 0);
  const count = (state: Upload['state']) => uploads.filter((upload) => upload.state === state).length;
  const isUnderWay = count('waiting') + count('sending') > 0;
  return (
    <section className={styles['uploads']} aria-label={words.title}>
      <div className={styles['head']}>
        <span role="status">{words.summary(count('accepted'), uploads.length, count('failed'))}</span>
        <span className={styles['buttons']}>
          {count('failed') > 0 && (
            <Button look="primary" onClick={retryFailedUploads}>
              {words.retryFailed(count('failed'))}
            </Button>
          )}
          {isUnderWay ? (
            <Button onClick={stopUploads}>{words.stop}</Button>
          ) : (
            <Button onClick={clearUploads}>{words.clear}</Button>
          )}
        </span>
      </div>
      <ProgressBar value={sentBytes / totalBytes} aria-label={words.all}>
        {formatPercent(sentBytes / totalBytes)}
      </ProgressBar>
      <ul className={styles['list']} tabIndex={0} aria-label={words.title}>
        {uploads.toSorted(failedFirst).map((upload) => (
          <Row key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

/** Of hundreds of rows only those that change are drawn anew. */
const Row = memo(function Row({ upload }: { upload: Upload }) {
  const { file, state, progress, sessionId, status, isReplayed, error } = upload;
  return (
    <li className={styles['row']}>
      <span className={styles['name']} title={file.name}>
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
      <ProgressBar value={progress} aria-label={words.progressOf(file.name)} />
      {state === 'accepted' && status ? <Status name={status} /> : <span>{words.states[state]}</span>}
      {state === 'failed' && <span className={styles['why']}>{reasonOf(error)}</span>}
    </li>
  );
});

function reasonOf(error: unknown): string {
  if (error instanceof DOMException) return words.unreadable;
  const { kind, title, detail, fields } = toFailure(error);
  if (kind === 'away') return texts.problem.away;
  // A refusal for one field says the same of it in both places.
  const ofFields = Object.values(fields).filter((each) => !detail.includes(each));
  const sentences = [title, detail, ...ofFields].map((each) => each.replace(/\.$/, ''));
  return sentences.filter(Boolean).join('. ');
}

const onSession = ({ session_id, status }: SessionEvent) => noteSessionStatus(session_id, status);

/** Follows the sessions by events, or by asking for the newest where there are none. */
function useSessionStatuses(uploads: readonly Upload[]): void {
  useEvent('session', onSession);
  const isUnfinished = uploads.some(({ status }) => status && !isFinal(status));
  const interval = usePollInterval(isUnfinished);
  const { data } = useQuery({
    ...listSessionsOptions({ query: { limit: 200 } }),
    enabled: isUnfinished,
    refetchInterval: interval,
  });
  useEffect(() => {
    for (const { session_id, status } of data?.data ?? []) noteSessionStatus(session_id, status);
  }, [data]);
}
