/** One question: its answers, and the model's value when the person has answered. */
import { CircleCheck, CircleX } from 'lucide-react';
import { areEqualValues } from '../../../../contract/fields/equal-values.ts';
import type { FieldResults, FieldValue, Quote, ResultField } from '../../../../contract/fields/result-fields.ts';
import { Button } from '../../components/button.tsx';
import { AnswerForm } from '../../fields/answer-form.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { FieldTitle } from '../../fields/field-title.tsx';
import type { Answer } from '../../server/review.ts';
import { texts } from '../../texts/index.ts';
import { FieldAnswer } from '../../conversation/field-answer.tsx';
import { choicesOf, isBlind, NOT_SAID, type KeyAction } from './answer-keys.ts';
import { Key } from './key.tsx';
import styles from './review.module.css';

const words = { ...texts.reviews, ...texts.walk };

interface QuestionProps {
  field: ResultField;
  results: FieldResults;
  /** The model's value. */
  value: FieldValue | null;
  answer: Answer | undefined;
  isFramed: boolean;
  /** The first value of the open control; undefined: it is closed. */
  edited: FieldValue | null | undefined;
  isRedacted: boolean;
  onShow: (quotes: readonly Quote[]) => void;
  onFrame: () => void;
  onAct: (action: KeyAction) => void;
  onClose: () => void;
}

export function Question({ field, results, value, answer, isFramed, edited, onAct, ...props }: QuestionProps) {
  const given = answer === undefined || answer === 'unsure' ? undefined : answer.value;
  const isCompared = answer !== undefined || !isBlind(field);
  return (
    <li
      className={styles['question']}
      tabIndex={-1}
      data-framed={isFramed ? '' : undefined}
      aria-current={isFramed ? 'step' : undefined}
      aria-label={field.title ?? field.name}
      onClick={props.onFrame}
    >
      <h3 className={styles['name']}>
        <FieldTitle {...field} />
      </h3>
      <p className="note" dir="auto">
        {field.description}
      </p>
      {edited === undefined ? (
        <Answers {...{ field, value, answer, onAct }} />
      ) : (
        <AnswerForm
          field={field}
          value={given ?? edited}
          isRedacted={props.isRedacted}
          error={null}
          isSaving={false}
          onAnswer={(entered) => onAct({ answer: entered })}
          onClose={props.onClose}
        />
      )}
      <div className={isCompared ? styles['model'] : undefined}>
        {/* Announced when the answer is given. */}
        <div role="status">{isCompared && <Comparison {...{ field, value, answer }} />}</div>
        {isCompared && <FieldAnswer field={field} results={results} onShow={props.onShow} />}
      </div>
    </li>
  );
}

type AnswersProps = Pick<QuestionProps, 'field' | 'value' | 'answer' | 'onAct'>;

/** A button for each answer. */
function Answers({ field, value, answer, onAct }: AnswersProps) {
  const choices = choicesOf(field);
  const given = answer === undefined || answer === 'unsure' ? undefined : answer.value;
  const isGiven = (each: FieldValue | null) =>
    given !== undefined && (each === null ? given === null : given !== null && areEqualValues(field.type, given, each));
  // Without a value of the model, "Right" would mean the same as "Not said".
  const hasValue = !isBlind(field) && value !== null;
  const isRight = hasValue && isGiven(value);
  const isTyped = given != null && !isRight && !choices.some((choice) => isGiven(choice.value));
  const button = (key: string, text: string, action: KeyAction, isPressed: boolean) => (
    <Button
      key={key + text}
      size="small"
      look={isPressed ? 'primary' : 'plain'}
      aria-pressed={isPressed}
      onClick={(event) => {
        event.stopPropagation();
        onAct(action);
      }}
    >
      {key.replaceAll(' ', '') !== text && <Key name={key} />}
      <bdi>{text}</bdi>
    </Button>
  );
  return (
    <div className={`row ${styles['answers']}`} role="group" aria-label={field.title ?? field.name}>
      {choices.map((each) =>
        button(each.key, formatValue(each.value), { answer: { value: each.value } }, isGiven(each.value)),
      )}
      {hasValue && button('y', words.right, { answer: { value } }, isRight)}
      {choices.length === 0 &&
        button(
          'e',
          isBlind(field) ? words.enterAnswer : words.correct,
          { edit: isBlind(field) ? null : value },
          isTyped,
        )}
      {button(NOT_SAID, texts.fields.states.null, { answer: { value: null } }, isGiven(null) && !isRight)}
      {button('x', words.unsure, { answer: 'unsure' }, answer === 'unsure')}
      {isTyped && (
        <span dir="auto">
          {words.yourAnswer} <strong>{formatValue(given)}</strong>
        </span>
      )}
    </div>
  );
}

/** Whether the model's value is the person's. */
function Comparison({ field, value, answer }: Pick<QuestionProps, 'field' | 'value' | 'answer'>) {
  if (answer === undefined || answer === 'unsure') return <span className="note">{words.modelAnswer}</span>;
  const isSame = areEqualValues(field.type, value, answer.value);
  const Icon = isSame ? CircleCheck : CircleX;
  return (
    <span className={styles[isSame ? 'same' : 'differs']}>
      <Icon size={14} aria-hidden />
      {isSame ? words.same : words.differs}
    </span>
  );
}
