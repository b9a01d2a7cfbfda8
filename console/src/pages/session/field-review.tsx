/** What a person decided about a value, and the buttons to say so. */
import { useMutation } from '@tanstack/react-query';
import { Check, CircleHelp, Pencil, Undo2, UserCheck, UserPen, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { areEqualValues } from '../../../../contract/fields/equal-values.ts';
import { Button } from '../../components/button.tsx';
import { Creator } from '../../components/creator.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { Time } from '../../components/values.tsx';
import type { ShownAnswer } from '../../conversation/field-answer.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { queryClient } from '../../server/queries.ts';
import { answerOf, authorOf, changeReview, reviewState, withAnswer } from '../../server/review.ts';
import type { Answer, ReviewState } from '../../server/review.ts';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';
import styles from '../../conversation/fields-table.module.css';

const AnswerForm = lazyPart(() => import('../../fields/answer-form.tsx'), 'AnswerForm');

const words = texts.reviews;

interface FieldReviewProps extends ShownAnswer {
  /** Undefined until the review is read. */
  state: ReviewState | undefined;
  /** false: the user may not review, or the session is a reanalysis. */
  canChange: boolean;
  isRedacted: boolean;
}

export function FieldReview({ field, value, shown, evidence, state, canChange, isRedacted }: FieldReviewProps) {
  const { name, title = name, type } = field;
  const [view, setView] = useState<'start' | 'open' | 'closed'>('start');
  const answer = state && answerOf(state.review, name);
  const given = answer === undefined || answer === 'unsure' ? undefined : answer.value;
  const isWrong = given !== undefined && !areEqualValues(type, value, given);
  const change = useMutation({
    mutationFn: (answer: Answer | undefined) =>
      changeReview(state as ReviewState, (draft) => withAnswer(draft, name, answer)),
    onSuccess: (saved) => {
      queryClient.setQueryData(reviewState(saved.review.session_id).queryKey, saved);
      setView('closed');
    },
    onError: (error) => view !== 'open' && showFailure(error),
  });
  const button = (Icon: LucideIcon, text: string, act: () => void, isFocused = false) => (
    <Button
      size="small"
      isIcon
      label={words.onField(text, title)}
      autoFocus={isFocused}
      disabled={change.isPending}
      onClick={act}
    >
      <Icon size={14} aria-hidden />
    </Button>
  );
  const open = () => {
    change.reset();
    setView('open');
  };
  if (view === 'open')
    return (
      <AnswerForm
        {...{ field, isRedacted, error: change.error }}
        // Who corrects a yes of the model means no.
        value={given ?? (typeof value === 'boolean' ? !value : value)}
        isSaving={change.isPending}
        onAnswer={(entered) => change.mutate(entered)}
        onClose={() => setView('closed')}
      />
    );
  return (
    <>
      <div className={styles['judged']}>
        <span>
          {isWrong ? (
            <>
              {value !== null && (
                <del>
                  <span className="visually-hidden">{words.model} </span>
                  {shown}
                </del>
              )}{' '}
              <span className={styles['value']} dir="auto">
                {given === null ? texts.fields.states.null : formatValue(given, '\n')}
              </span>
            </>
          ) : (
            shown
          )}
        </span>
        {canChange && type !== 'score' && (
          <span className={styles['judge']}>
            {state && answer === undefined && button(Check, words.right, () => change.mutate({ value }))}
            {state && button(Pencil, words.correct, open, view === 'closed')}
            {answer !== undefined && button(Undo2, words.undo, () => change.mutate(undefined))}
          </span>
        )}
      </div>
      {(!isWrong || type === 'score') && evidence}
      {state && answer !== undefined && (
        <Judgment
          kind={answer === 'unsure' ? 'unsure' : isWrong ? 'corrected' : 'right'}
          {...authorOf(state.review, name)}
        />
      )}
    </>
  );
}

const ICONS = { unsure: CircleHelp, corrected: UserPen, right: UserCheck };

interface JudgmentProps extends ReturnType<typeof authorOf> {
  kind: keyof typeof ICONS;
}

/** Who judged the value, and when. */
function Judgment({ kind, reviewed_by, reviewed_at }: JudgmentProps) {
  const Icon = ICONS[kind];
  return (
    <span className={`note ${styles['mark']}`}>
      <Icon size={13} aria-hidden />
      {words.judged[kind]}
      {reviewed_by && <Creator id={reviewed_by} />}
      <Time at={reviewed_at} />
    </span>
  );
}
