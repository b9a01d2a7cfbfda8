/** Edits the fields of an assistant: questions with typed answers. */
import { LIMITS } from '../../../contract/values/limits.ts';
import { SAID_BY } from '../../../contract/fields/field-types.ts';
import { useState, type ChangeEvent } from 'react';
import type { AccuracyReport } from 'conversation-analysis-client';
import { FIELD_TYPES, type FieldType } from '../../../contract/values/constants.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { optionsOf } from '../components/choice.tsx';
import { CheckField, Columns, SelectField, TextAreaField, TextField } from '../components/field.tsx';
import { readForm } from '../components/form-values.ts';
import { texts } from '../texts/index.ts';
import { makeKey } from './make-key.ts';
import { wordRole } from '../format/roles.ts';
import { readRows } from './read-fields.ts';
import { RowsEditor } from './rows-editor.tsx';
import { ScoreInputs } from './score-inputs.tsx';

const words = { ...texts.versions.properties, ...texts.assistant.fields };

interface FieldsEditorProps {
  given: readonly ResultField[];
  /** The fields as they were last saved. */
  saved?: readonly ResultField[];
  /** How often the answers are right. */
  accuracy?: AccuracyReport | undefined;
}

export const FieldsEditor = ({ given, saved = given, accuracy }: FieldsEditorProps) => (
  <RowsEditor
    name="fields"
    title={texts.settingTitles.fields}
    words={words}
    heads={[texts.settingTitles.name, words.type, words.description, accuracy ? texts.reviews.right : '']}
    max={LIMITS.fields}
    given={given}
    describe={({ title, name, type, description }) => {
      const { right, judged = 0 } = accuracy?.fields.find((field) => field.name === name) ?? {};
      return (
        <>
          <strong className="cut" title={title}>
            {title || name || words.description}
          </strong>
          <span className="note">{words.types[type as FieldType]}</span>
          <span className="note cut" title={description}>
            {description}
          </span>
          {right !== undefined && judged > 0 && (
            <span data-head={texts.reviews.right}>{texts.session.transcript.found(right, judged)}</span>
          )}
        </>
      );
    }}
  >
    {(field, index) => <FieldInputs index={index} given={field} saved={saved.map(({ name }) => name)} />}
  </RowsEditor>
);

const LINES: Partial<Record<FieldType, 'options' | 'phrases'>> = { enum: 'options', said: 'phrases' };
const BOUNDS = ['minimum', 'maximum'] as const;
const NUMBERS: Partial<Record<FieldType, readonly ('minimum' | 'maximum' | 'within_s')[]>> = {
  integer: BOUNDS,
  number: BOUNDS,
  said: ['within_s'],
};

interface FieldInputsProps {
  index: number;
  given: ResultField | undefined;
  /** The keys that are saved. */
  saved: readonly string[];
}

function FieldInputs({ index, given, saved }: FieldInputsProps) {
  const path = `fields.${index}`;
  const [type, setType] = useState<FieldType>(given?.type ?? 'string');
  const [key, setKey] = useState(given?.name ?? '');
  const [isTyped, setTyped] = useState(false);
  const isNew = given === undefined;
  const lines = LINES[type];
  const speaker = type === 'said' ? 'by' : 'said_by';
  /** Only a new key follows the title: results are stored by key. */
  const followTitle = ({ target: { value: title, form } }: ChangeEvent<HTMLInputElement>) => {
    if (!isNew || isTyped || saved.includes(key) || !form) return;
    const others = readRows(readForm(form), 'fields').map(({ name = '' }, row) => (row === index ? '' : name));
    setKey(title.trim() && makeKey(title, [...saved, ...others]));
  };
  return (
    <>
      <Columns>
        <TextField
          name={`${path}.title`}
          label={texts.settingTitles.name}
          placeholder={given?.name}
          defaultValue={given?.title}
          maxLength={LIMITS.fieldTitle}
          autoFocus={isNew}
          required={isNew}
          onChange={followTitle}
        />
        <SelectField
          name={`${path}.type`}
          label={words.type}
          value={type}
          options={optionsOf(FIELD_TYPES, words.types)}
          onChange={({ target }) => setType(target.value as FieldType)}
        />
      </Columns>
      <TextAreaField
        name={`${path}.description`}
        label={words.description}
        defaultValue={given?.description}
        rows={2}
        maxLength={LIMITS.fieldQuestion}
        required
      />
      {type === 'score' && <ScoreInputs path={path} given={given} />}
      <Columns>
        {lines && (
          <TextAreaField
            key={lines}
            name={`${path}.${lines}`}
            label={words[lines]}
            hint={words.optionsHint}
            defaultValue={given?.[lines]?.join('\n')}
            rows={2}
            required
          />
        )}
        {NUMBERS[type]?.map((limit) => (
          <TextField
            key={limit}
            name={`${path}.${limit}`}
            label={words[limit]}
            type="number"
            step="any"
            isOptional
            defaultValue={given?.[limit]}
          />
        ))}
        {type !== 'score' && (
          <SelectField
            key={speaker}
            name={`${path}.${speaker}`}
            label={words[speaker]}
            defaultValue={given?.[speaker]}
            options={['', ...SAID_BY].map((value) => ({ value, label: value ? wordRole(value) : texts.lists.any }))}
          />
        )}
        <TextField
          name={`${path}.name`}
          label={words.key}
          hint={words.keyHint}
          value={key}
          dir="ltr"
          maxLength={LIMITS.fieldName}
          spellCheck={false}
          required
          onChange={({ target }) => {
            setKey(target.value);
            setTyped(target.value !== '');
          }}
        />
      </Columns>
      {type !== 'score' && (
        <CheckField name={`${path}.evidence`} label={words.evidence} defaultChecked={given?.evidence ?? true} />
      )}
    </>
  );
}
