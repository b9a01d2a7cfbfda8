/** Asks a person for the right answer to a question, with the control of the field's type. */
import { FIELD_TYPE_FACTS, isNumber, isYesNo } from '../../../contract/fields/field-types.ts';
import type { ReactNode } from 'react';
import type { FieldValue, ResultField } from '../../../contract/fields/result-fields.ts';
import { Button } from '../components/button.tsx';
import { Form, FormButtons, SelectField, TextAreaField, TextField } from '../components/field.tsx';
import type { Answer } from '../server/review.ts';
import { texts } from '../texts/index.ts';

const words = texts.reviews;

interface AnswerFormProps {
  field: ResultField;
  /** The value that the control shows first. */
  value: FieldValue | null;
  /** Whether the conversation is redacted. The answer is not. */
  isRedacted: boolean;
  error: unknown;
  isSaving: boolean;
  onAnswer: (answer: Answer) => void;
  onClose: () => void;
}

export function AnswerForm({ field, value, isRedacted, error, isSaving, onAnswer, onClose }: AnswerFormProps) {
  const name = `answers.${field.name}`;
  return (
    <Keys hasLines={FIELD_TYPE_FACTS[field.type].isList} onClose={onClose}>
      <Form error={error} onSubmit={(values) => onAnswer({ value: parseAnswer(field, values[name] ?? '') })}>
        <Control field={field} name={name} value={value} isRedacted={isRedacted} />
        <FormButtons submit={texts.labels.save} isDisabled={isSaving} onCancel={onClose}>
          <Button disabled={isSaving} onClick={() => onAnswer({ value: null })}>
            {texts.fields.states.null}
          </Button>
          <Button disabled={isSaving} onClick={() => onAnswer('unsure')}>
            {words.unsure}
          </Button>
        </FormButtons>
      </Form>
    </Keys>
  );
}

interface KeysProps {
  /** Whether Enter begins a line. With Ctrl or ⌘ it always saves. */
  hasLines: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Saves with Enter, and closes with Escape. */
const Keys = ({ hasLines, onClose, children }: KeysProps) => (
  <div
    // The buttons of a form reach below it.
    style={{ paddingBottom: '0.75rem' }}
    onKeyDown={(event) => {
      if (event.key === 'Escape') onClose();
      const isSent = event.ctrlKey || event.metaKey || (!hasLines && !event.shiftKey);
      const { target } = event;
      if (event.key !== 'Enter' || !isSent || event.nativeEvent.isComposing) return;
      // Enter opens a select, and begins a line in a text.
      if (!(target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement)) return;
      event.preventDefault();
      target.form?.requestSubmit();
    }}
  >
    {children}
  </div>
);

type ControlProps = Pick<AnswerFormProps, 'field' | 'value' | 'isRedacted'> & { name: string };

function Control({ field: { type, options = [], minimum, maximum }, name, value, isRedacted }: ControlProps) {
  const control = { name, label: words.rightAnswer, required: true, autoFocus: true };
  const warning = isRedacted && words.notRedacted;
  if (isYesNo(type) || type === 'enum') {
    const choices =
      type === 'enum'
        ? options.map((option) => ({ value: option, label: option }))
        : ['true', 'false'].map((each) => ({
            value: each,
            label: each === 'true' ? texts.fields.yes : texts.fields.no,
          }));
    return <SelectField {...control} options={choices} defaultValue={value === null ? undefined : String(value)} />;
  }
  if (isNumber(type)) {
    const step = type === 'integer' ? 1 : 'any';
    return (
      <TextField
        {...control}
        type="number"
        {...{ step, min: minimum, max: maximum }}
        defaultValue={String(value ?? '')}
      />
    );
  }
  const { isList } = FIELD_TYPE_FACTS[type];
  return (
    <TextAreaField
      {...control}
      rows={2}
      defaultValue={[value ?? []].flat().join('\n')}
      hint={isList || warning ? [isList && words.onePerLine, warning].filter(Boolean).join(' ') : undefined}
    />
  );
}

function parseAnswer({ type }: ResultField, text: string): FieldValue {
  if (isYesNo(type)) return text === 'true';
  if (isNumber(type)) return Number(text);
  if (!FIELD_TYPE_FACTS[type].isList) return text;
  return text.split('\n').flatMap((line) => line.trim() || []);
}

interface TextFormProps extends Pick<AnswerFormProps, 'isRedacted' | 'error' | 'isSaving' | 'onClose'> {
  label: string;
  value: string;
  maxLength: number;
  onSave: (text: string) => void;
}

/** Asks a person for the right summary, or for a note. */
export function TextForm({ label, value, maxLength, isRedacted, error, isSaving, onSave, onClose }: TextFormProps) {
  return (
    <Keys hasLines onClose={onClose}>
      <Form error={error} onSubmit={({ text = '' }) => onSave(text)}>
        <TextAreaField
          name="text"
          label={label}
          defaultValue={value}
          hint={isRedacted && words.notRedacted}
          maxLength={maxLength}
          required
          autoFocus
        />
        <FormButtons submit={texts.labels.save} isDisabled={isSaving} onCancel={onClose} />
      </Form>
    </Keys>
  );
}
