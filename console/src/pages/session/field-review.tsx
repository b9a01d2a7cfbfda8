/** Whether a person found a value right, and the buttons that say so. */
import { useMutation } from '@tanstack/react-query';
import { CircleHelp, UserCheck, UserPen } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Review } from 'conversation-analysis-client';
import { areEqualValues } from '../../../../contract/fields/equal-values.ts';
import type { FieldValue, ResultField } from '../../../../contract/fields/result-fields.ts';
import { Button } from '../../components/button.tsx';
import { Creator } from '../../components/creator.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { Time } from '../../components/values.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { queryClient } from '../../server/queries.ts';
import { answerOf, authorOf, changeReview, reviewState, withAnswer } from '../../server/review.ts';
import type { Answer, ReviewState } from '../../server/review.ts';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';
import styles from '../../conversation/fields-table.module.css';

const AnswerForm = lazyPart(() => import('../../fields/answer-form.tsx'), 'AnswerForm');

const words = texts.reviews;

/** Returns whether the person's answer is another one than the model's. */
export const isWrong = ({ type }: ResultField, value: FieldValue | null, answer: Answer | undefined) =>
  answer !== undefined && answer !== 'unsure' && !areEqualValues(type, value, answer.value);

interface ValueProps {
  field: ResultField;
  /** The model's value. */
  value: FieldValue | null;
}

interface ReviewedValueProps extends ValueProps {
  review: Review;
  children: ReactNode;
}

/** The model's value, or the right value and the model's value struck through. */
export function ReviewedValue({ field, value, review, children }: ReviewedValueProps) {
  const answer = answerOf(review, field.name);
  if (answer === undefined || answer === 'unsure' || !isWrong(field, value, answer)) return children;
  return (
    <>
      <span className={styles['value']} dir="auto">
        {answer.value === null ? words.notSaid : formatValue(answer.value, '\n')}
      </span>
      {value !== null && (
        <del>
          <span className="visually-hidden">{words.model} </span>
          {children}
        </del>
      )}
    </>
  );
}

interface FieldReviewProps extends ValueProps {
  state: ReviewState;
  /** false: the user may not review, or the session is a reanalysis. */
  canChange: boolean;
  isRedacted: boolean;
}

export function FieldReview({ field, value, state, canChange, isRedacted }: FieldReviewProps) {
  const { name, title = name } = field;
  const [view, setView] = useState<'start' | 'open' | 'closed'>('start');
  const answer = answerOf(state.review, name);
  const change = useMutation({
    mutationFn: (given: Answer | undefined) => changeReview(state, (draft) => withAnswer(draft, name, given)),
    onSuccess: (saved) => {
      queryClient.setQueryData(reviewState(saved.review.session_id).queryKey, saved);
      setView('closed');
    },
    onError: (error) => view !== 'open' && showFailure(error),
  });
  if (view === 'open') {
    const given = answer === undefined || answer === 'unsure' ? null : answer.value;
    // Who corrects a yes of the model means no.
    const opposite = typeof value === 'boolean' ? !value : value;
    return (
      <AnswerForm
        {...{ field, isRedacted, error: change.error }}
        value={given ?? opposite}
        isSaving={change.isPending}
        onAnswer={(given) => change.mutate(given)}
        onClose={() => setView('closed')}
      />
    );
  }
  const button = (text: string, act: () => void, isFocused = false) => (
    <Button
      look="quiet"
      size="small"
      label={words.onField(text, title)}
      autoFocus={isFocused}
      disabled={change.isPending}
      onClick={act}
    >
      {text}
    </Button>
  );
  const open = () => {
    change.reset();
    setView('open');
  };
  return (
    <>
      {answer !== undefined && <Judgment {...{ field, value, answer }} author={authorOf(state.review, name)} />}
      {canChange && (
        <span className={`row ${styles['judge']}`}>
          {answer === undefined && button(words.right, () => change.mutate({ value }))}
          {button(words.correct, open, view === 'closed')}
          {answer !== undefined && button(words.undo, () => change.mutate(undefined))}
        </span>
      )}
    </>
  );
}

interface JudgmentProps extends ValueProps {
  answer: Answer;
  author: ReturnType<typeof authorOf>;
}

/** Who judged the value, and when. */
function Judgment({ field, value, answer, author: { reviewed_by, reviewed_at } }: JudgmentProps) {
  const [Icon, text] =
    answer === 'unsure'
      ? [CircleHelp, words.judged.unsure]
      : isWrong(field, value, answer)
        ? [UserPen, words.judged.corrected]
        : [UserCheck, words.judged.right];
  return (
    <span className={styles['mark']}>
      <Icon size={13} aria-hidden />
      {text}
      {reviewed_by && <Creator id={reviewed_by} />}
      <Time at={reviewed_at} isRelative />
    </span>
  );
}
