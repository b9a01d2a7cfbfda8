/** Edits the fields of an assistant: questions with typed answers. */
import { LIMITS } from '../../../contract/values/limits.ts';
import { isNumber } from '../../../contract/fields/field-types.ts';
import { useState, type ChangeEvent } from 'react';
import type { AccuracyReport } from 'conversation-analysis-client';
import { FIELD_TYPES, type FieldType } from '../../../contract/values/constants.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { optionsOf } from '../components/choice.tsx';
import { CheckField, Columns, SelectField, TextAreaField, TextField } from '../components/field.tsx';
import { readForm } from '../components/form-values.ts';
import { texts } from '../texts/index.ts';
import { makeKey } from './make-key.ts';
import { readRows } from './read-fields.ts';
import { RowsEditor } from './rows-editor.tsx';
import { SaidInputs, SpeakerField } from './said-inputs.tsx';
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
  const isBounded = isNumber(type) && type !== 'score';
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
        {type === 'enum' && (
          <TextAreaField
            name={`${path}.options`}
            label={words.options}
            hint={words.optionsHint}
            defaultValue={given?.options?.join('\n')}
            rows={2}
            required
          />
        )}
        {isBounded &&
          (['minimum', 'maximum'] as const).map((limit) => (
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
        {type === 'said' && <SaidInputs path={path} given={given} />}
        {!['score', 'said'].includes(type) && <SpeakerField name={`${path}.said_by`} given={given?.said_by} />}
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
