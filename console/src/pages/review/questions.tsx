/** The questions about a conversation, one of them framed. Keys answer it. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { areEqualValues } from '../../../../contract/fields/equal-values.ts';
import { fieldValueOf } from '../../../../contract/fields/field-value.ts';
import type { FieldResults, FieldValue, Quote, ResultField } from '../../../../contract/fields/result-fields.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { useKeys } from '../../components/use-keys.ts';
import { SummaryText } from '../../fields/summary-text.tsx';
import { answerOf, withAnswer, type Answer, type Draft } from '../../server/review.ts';
import { texts } from '../../texts/index.ts';
import { actionOf, choicesOf, isBlind, type KeyAction } from './answer-keys.ts';
import { Key } from './key.tsx';
import { Question } from './question.tsx';
import styles from './review.module.css';

const words = texts.walk;

interface QuestionsProps {
  fields: readonly ResultField[];
  results: FieldResults;
  /** The model's summary. */
  summary: string | null;
  isRedacted: boolean;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onShow: (quotes: readonly Quote[]) => void;
  isSaving: boolean;
  error: unknown;
  notice: string | undefined;
  onSave: () => void;
  onSkip: () => void;
  /** Undefined for the first conversation. */
  onBack: (() => void) | undefined;
}

/** Returns whether the model gave the same answer, so that nothing is left to read. The 1 of a 10 is no answer yet. */
function agrees(field: ResultField, { fields }: FieldResults, answer: Answer): boolean {
  if (answer === 'unsure' || !areEqualValues(field.type, fieldValueOf(fields, field.name), answer.value)) return false;
  return answer.value !== 1 || !choicesOf(field).some(({ value }) => value === 10);
}

export function Questions({ fields, results, summary, isRedacted, draft, onDraft, onShow, ...props }: QuestionsProps) {
  const { isSaving, error, notice, onSave, onSkip, onBack } = props;
  const [at, setAt] = useState(0);
  const [edited, setEdited] = useState<FieldValue | null>();
  const [hint, setHint] = useState<string>();
  /** Whether the page has named the questions without an answer. */
  const [isReminded, setReminded] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const isEditing = edited !== undefined;
  const focusFramed = useCallback(() => {
    const framed = list.current?.children[at];
    if (framed instanceof HTMLElement) framed.focus({ preventScroll: true });
    return framed;
  }, [at]);
  useEffect(() => {
    if (isEditing) return;
    const framed = focusFramed();
    // The first question follows the conversation on narrow screens.
    if (at > 0) framed?.scrollIntoView({ block: 'nearest' });
  }, [at, isEditing, draft, focusFramed]);
  useEffect(() => {
    scrollTo({ top: 0 });
  }, []);

  const frame = (index: number) => {
    setAt(index);
    setEdited(undefined);
  };
  const give = (field: ResultField, answer: Answer) => {
    onDraft(withAnswer(draft, field.name, answer));
    setEdited(undefined);
    setHint(undefined);
  };
  const open = fields.flatMap(({ name }, index) => (answerOf(draft, name) === undefined ? [index] : []));
  /** Returns the question to answer after this one; undefined after the last. */
  const following = (index: number) =>
    isReminded ? open.find((each) => each > index) : index + 1 < fields.length ? index + 1 : undefined;
  const act = (field: ResultField, action: KeyAction) => {
    if (!('answer' in action)) return setEdited(action.edit);
    give(field, action.answer);
    const next = following(fields.indexOf(field));
    if (next !== undefined && agrees(field, results, action.answer)) setAt(next);
  };
  const proceed = () => {
    const next = following(at);
    if (next !== undefined) return frame(next);
    if (fields.length > 0 && open.length === fields.length) return setHint(words.nothing);
    if (open[0] !== undefined && !isReminded) {
      setReminded(true);
      setHint(words.open(open.length));
      return frame(open[0]);
    }
    return onSave();
  };
  const back = () => (at > 0 ? frame(at - 1) : onBack?.());
  useKeys((key) => {
    if (isEditing || isSaving) return false;
    const field = fields[at];
    const action = field && actionOf(field, key, fieldValueOf(results.fields, field.name), answerOf(draft, field.name));
    if (field && action) act(field, action);
    else if (key === 'Enter') proceed();
    else if (key === 's') onSkip();
    else if (key === 'u') back();
    else return false;
    return true;
  });
  return (
    <div className={styles['panel']}>
      <Panel title={fields.length > 0 && words.question(at + 1, fields.length)} isFlush>
        <ol ref={list} className={styles['questions']}>
          {fields.map((field, index) => (
            <Question
              key={field.name}
              {...{ field, results, isRedacted }}
              onShow={(quotes) => {
                onShow(quotes);
                // Otherwise Enter would show the quotes again.
                focusFramed();
              }}
              value={fieldValueOf(results.fields, field.name)}
              answer={answerOf(draft, field.name)}
              isFramed={index === at}
              edited={index === at ? edited : undefined}
              onFrame={() => index !== at && frame(index)}
              onAct={(action) => {
                if (index !== at) frame(index);
                act(field, action);
              }}
              onClose={() => setEdited(undefined)}
            />
          ))}
        </ol>
        {summary !== null && (
          <DraftSummary
            {...{ summary, isRedacted, draft, onDraft }}
            // A summary can name the answers.
            isHidden={fields.some((field) => isBlind(field) && answerOf(draft, field.name) === undefined)}
          />
        )}
        <div className={`stack ${styles['foot']}`}>
          {notice !== undefined && <p role="status">{notice}</p>}
          {error != null && <Problem error={error} onRetry={onSave} />}
          <p role="status" className="note">
            {hint}
          </p>
          <div className="row">
            <Button look="primary" disabled={isSaving} onClick={proceed}>
              {at >= fields.length - 1 ? words.save : words.next}
              <Key name="Enter" />
            </Button>
            <Button disabled={isSaving || (at === 0 && !onBack)} onClick={back}>
              {texts.labels.back}
              <Key name="u" />
            </Button>
            <Button disabled={isSaving} onClick={onSkip}>
              {words.skip}
              <Key name="s" />
            </Button>
          </div>
        </div>
      </Panel>
    </div>
  );
}

interface DraftSummaryProps extends Pick<QuestionsProps, 'isRedacted' | 'draft' | 'onDraft'> {
  summary: string;
  isHidden: boolean;
}

/** The summary, which is stored with the answers if the person corrects it. */
const DraftSummary = ({ summary, isHidden, isRedacted, draft, onDraft }: DraftSummaryProps) => (
  <section className={styles['summary']}>
    <h3>{texts.share.parts.summary}</h3>
    {isHidden ? (
      <p className="note">{words.hidden}</p>
    ) : (
      <div dir="auto">
        <SummaryText
          {...{ text: summary, corrected: draft.summary_text, isRedacted }}
          onChange={(summary_text, done) => {
            onDraft({ ...draft, summary_text });
            done();
          }}
        >
          {draft.summary_text ?? summary}
        </SummaryText>
      </div>
    )}
  </section>
);
