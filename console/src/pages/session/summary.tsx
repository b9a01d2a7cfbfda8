/** The summary of a session, which a person can correct. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { Suspense, useState } from 'react';
import type { Session } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';
import { useReview } from './use-review.ts';
import styles from './session-page.module.css';

const TextForm = lazyPart(() => import('../../fields/answer-form.tsx'), 'TextForm');

const words = texts.reviews;
const label = texts.share.parts.summary;

/** A reanalysis shows its own summary first, and the correction of its original below. */
export function Summary({ session, text }: { session: Session; text: string }) {
  const { source_session_id, redaction } = session;
  const { state, save, canChange } = useReview(session);
  const isOriginal = source_session_id === null;
  const corrected = state?.review.summary_text ?? null;
  const [isOpen, setOpen] = useState(false);
  const store = (summary_text: string | null) =>
    save.mutate((draft) => ({ ...draft, summary_text }), {
      onSuccess: () => setOpen(false),
      onError: (error) => isOpen || showFailure(error),
    });
  if (isOpen) {
    return (
      <Suspense>
        <TextForm
          label={label}
          maxLength={LIMITS.summary}
          value={corrected ?? text}
          isRedacted={redaction !== null}
          error={save.error}
          isSaving={save.isPending}
          onSave={store}
          onClose={() => setOpen(false)}
        />
      </Suspense>
    );
  }
  const button = (name: string, act: () => void) => (
    <Button
      look="quiet"
      size="small"
      label={words.onField(name, label)}
      disabled={!state || save.isPending}
      onClick={act}
    >
      {name}
    </Button>
  );
  const open = () => {
    save.reset();
    setOpen(true);
  };
  const [first, second] = corrected !== null && isOriginal ? [corrected, text] : [text, corrected];
  return (
    <>
      <p className={styles['summary']} dir="auto">
        {first}
        {canChange && (
          <>
            {' '}
            {button(words.correct, open)}
            {corrected !== null && button(words.undo, () => store(null))}
          </>
        )}
      </p>
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
