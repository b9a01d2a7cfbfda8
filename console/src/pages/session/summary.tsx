/** The summary of a session, which a person can correct. */
import type { Session } from 'conversation-analysis-client';
import { showFailure } from '../../components/toasts.tsx';
import { SummaryText } from '../../fields/summary-text.tsx';
import { texts } from '../../texts/index.ts';
import { useReview } from './use-review.ts';
import styles from './session-page.module.css';

const words = texts.reviews;

/** A reanalysis shows its own summary first, and the correction of its original below. */
export function Summary({ session, text }: { session: Session; text: string }) {
  const { source_session_id, redaction } = session;
  const { state, save, canChange } = useReview(session);
  const isOriginal = source_session_id === null;
  const corrected = state?.review.summary_text ?? null;
  const [first, second] = corrected !== null && isOriginal ? [corrected, text] : [text, corrected];
  return (
    <>
      <div className={styles['summary']} dir="auto">
        {canChange ? (
          <SummaryText
            {...{ text, corrected }}
            isRedacted={redaction !== null}
            isDisabled={!state || save.isPending}
            onChange={(summary_text, onSuccess) =>
              save.mutate((draft) => ({ ...draft, summary_text }), { onSuccess, onError: showFailure })
            }
          >
            {first}
          </SummaryText>
        ) : (
          first
        )}
      </div>
      {second !== null && (
        <details className="note">
          <summary>{isOriginal ? words.model : words.judged.corrected}</summary>
          <p className={styles['summary']} dir="auto">
            {second}
          </p>
        </details>
      )}
    </>
  );
}
