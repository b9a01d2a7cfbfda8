/** The result of a session, which people judge and correct. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Session } from 'conversation-analysis-client';
import type { FieldResults } from '../../../../contract/fields/result-fields.ts';
import { scoresOf } from '../../../../contract/fields/score.ts';
import { Problem } from '../../components/problem-note.tsx';
import { useMay } from '../../server/membership.ts';
import { reviewState } from '../../server/review.ts';
import { texts } from '../../texts/index.ts';
import { Dispute } from './dispute.tsx';
import { FieldReview } from './field-review.tsx';
import type { FieldAnswerProps } from '../../conversation/field-answer.tsx';
import { ResultTab } from '../../conversation/result-tab.tsx';
import type { ShowQuotes } from '../../conversation/turns.ts';

const words = texts.reviews;

/** A reanalysis shows the review of its original, against its own values. */
export function ReviewedResult({ session, onShow }: { session: Session; onShow: ShowQuotes }) {
  const { session_id, source_session_id, status, redaction, assistant } = session;
  const may = useMay();
  const enabled = status === 'completed' && Boolean(assistant.fields?.length);
  const { data: state, error, refetch } = useQuery({ ...reviewState(source_session_id ?? session_id), enabled });
  const raw = session.raw_response as (Record<string, unknown> & FieldResults) | null;
  const scores = raw?.scores && scoresOf(assistant.fields ?? [], raw, state?.review.answers);
  const raw_response = raw && { ...raw, ...(scores && { scores }) };
  const canChange = source_session_id === null && may('reviews:write');
  const isRedacted = redaction !== null;
  const reviewing: FieldAnswerProps['reviewing'] =
    enabled && (state || !error)
      ? (answer) => <FieldReview {...{ ...answer, state, canChange, isRedacted }} />
      : undefined;
  return (
    <>
      {state && source_session_id !== null && (
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
      <ResultTab session={{ ...session, raw_response }} {...{ onShow, reviewing }} />
    </>
  );
}
