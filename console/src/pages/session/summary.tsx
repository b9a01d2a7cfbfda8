/** The summary of a session, which a person can correct. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Session } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { lazyComponent } from '../../server/load-file.ts';
import { useMay } from '../../server/membership.ts';
import { queryClient } from '../../server/queries.ts';
import { changeReview, reviewState } from '../../server/review.ts';
import { reviews } from '../../texts/en-reviews.ts';
import { texts } from '../../texts/index.ts';
import styles from './session-page.module.css';

const SummaryForm = lazyComponent(() => import('../../fields/answer-form.tsx'), 'SummaryForm');

const words = { ...reviews, ...texts.reviews };
const label = texts.session.result.summary;

/** A reanalysis shows its own summary first, and the correction of its original below. */
export function Summary({ session, text }: { session: Session; text: string }) {
  const { session_id, source_session_id, status, redaction } = session;
  const options = reviewState(source_session_id ?? session_id);
  const { data: state } = useQuery({ ...options, enabled: status === 'completed' });
  const may = useMay();
  const isOriginal = source_session_id === null;
  const corrected = state?.review.summary_text ?? null;
  const [isOpen, setOpen] = useState(false);
  const save = useMutation({
    mutationFn: async (summary_text: string | null) => {
      if (!state) return;
      queryClient.setQueryData(options.queryKey, await changeReview(state, (draft) => ({ ...draft, summary_text })));
    },
    onSuccess: () => setOpen(false),
    onError: (error) => isOpen || showFailure(error),
  });
  if (isOpen) {
    return (
      <Suspense>
        <SummaryForm
          value={corrected ?? text}
          isRedacted={redaction !== null}
          error={save.error}
          isSaving={save.isPending}
          onSave={(entered) => save.mutate(entered)}
          onClose={() => setOpen(false)}
        />
      </Suspense>
    );
  }
  const button = (name: string, act: () => void) => (
    <Button
      look="quiet"
      size="small"
      scope="reviews:write"
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
        {isOriginal && status === 'completed' && may('reviews:write') && (
          <>
            {' '}
            {button(words.correct, open)}
            {corrected !== null && button(words.undo, () => save.mutate(null))}
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
