/** The result of a session, which people judge and correct. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Session } from 'conversation-analysis-client';
import { Problem } from '../../components/problem-note.tsx';
import { useMay } from '../../server/membership.ts';
import { answerOf, reviewState } from '../../server/review.ts';
import { texts } from '../../texts/index.ts';
import { Dispute } from './dispute.tsx';
import { FieldReview, isWrong, ReviewedValue } from './field-review.tsx';
import type { Reviewing } from '../../conversation/field-answer.tsx';
import { ResultTab } from '../../conversation/result-tab.tsx';
import type { ShowQuotes } from '../../conversation/turns.ts';
import styles from '../../conversation/fields-table.module.css';

const words = texts.reviews;

/** A reanalysis shows the review of its original, against its own values. */
export function ReviewedResult({ session, onShow }: { session: Session; onShow: ShowQuotes }) {
  const { session_id, source_session_id, status, redaction, assistant } = session;
  const may = useMay();
  const enabled = status === 'completed' && Boolean(assistant.fields?.length);
  const { data: state, error, refetch } = useQuery({ ...reviewState(source_session_id ?? session_id), enabled });
  const canChange = source_session_id === null && may('reviews:write');
  const isRedacted = redaction !== null;
  // Keeps the place of the buttons until the review is read.
  const pending: Reviewing | undefined =
    enabled && canChange && !error
      ? {
          value: (_field, _value, shown) => shown,
          below: () => <span className={styles['pending']} />,
          isCorrected: () => false,
        }
      : undefined;
  const reviewing: Reviewing | undefined = state
    ? {
        value: (field, value, shown) => (
          <ReviewedValue {...{ field, value }} review={state.review}>
            {shown}
          </ReviewedValue>
        ),
        isCorrected: (field, value) => isWrong(field, value, answerOf(state.review, field.name)),
        below: (field, value) => <FieldReview {...{ field, value, state, canChange, isRedacted }} />,
      }
    : pending;
  return (
    <>
      {reviewing && source_session_id !== null && (
        <p className="note">
          {words.ofOriginal}{' '}
          <Link to="/sessions/$sessionId" params={{ sessionId: source_session_id }}>
            {words.openOriginal}
          </Link>
        </p>
      )}
      {state?.review.reviewed_at && source_session_id === null && (
        <Dispute id={session_id} fields={assistant.fields ?? []} />
      )}
      {error && !state && <Problem error={error} onRetry={() => void refetch()} />}
      <ResultTab session={session} onShow={onShow} reviewing={reviewing} />
    </>
  );
}
