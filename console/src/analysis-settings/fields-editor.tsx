/** Edits the fields of an assistant: questions with typed answers. */
import { useState } from 'react';
import { FIELD_TYPES, type FieldType } from '../../../contract/values/constants.ts';
import type { ResultField } from '../../../contract/values/result-fields.ts';
import { optionsOf } from '../components/choice.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../components/field.tsx';
import { texts } from '../texts/index.ts';
import { RowsEditor } from './rows-editor.tsx';
import styles from './rows-editor.module.css';

const words = texts.assistant.fields;
const MAX_FIELDS = 50;

interface FieldsEditorProps {
  /** Prefix of the input names. */
  prefix?: string;
  fields: readonly ResultField[];
}

export const FieldsEditor = ({ prefix = '', fields }: FieldsEditorProps) => (
  <RowsEditor words={words} max={MAX_FIELDS} given={fields}>
    {(field, index) => <FieldInputs path={`${prefix}fields.${index}`} given={field} />}
  </RowsEditor>
);

interface FieldInputsProps {
  /** The path of the field in the request. Error responses use the same path. */
  path: string;
  given: ResultField | undefined;
}

function FieldInputs({ path, given }: FieldInputsProps) {
  const [type, setType] = useState<FieldType>(given?.type ?? 'string');
  return (
    <>
      <TextField
        name={`${path}.name`}
        label={words.name}
        defaultValue={given?.name}
        maxLength={40}
        autoFocus={given === undefined}
        required
      />
      <SelectField
        name={`${path}.type`}
        label={words.type}
        value={type}
        options={optionsOf(FIELD_TYPES, words.types)}
        onChange={({ target }) => setType(target.value as FieldType)}
      />
      <div className={styles['wide']}>
        <TextField
          name={`${path}.description`}
          label={words.description}
          defaultValue={given?.description}
          maxLength={500}
          required
        />
      </div>
      {type === 'enum' && (
        <div className={styles['wide']}>
          <TextAreaField
            name={`${path}.options`}
            label={words.options}
            hint={words.optionsHint}
            defaultValue={given?.options?.join('\n')}
            rows={3}
            required
          />
        </div>
      )}
      {(type === 'integer' || type === 'number') &&
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
      <div className={styles['wide']}>
        <CheckField name={`${path}.evidence`} label={words.evidence} defaultChecked={given?.evidence ?? true} />
      </div>
    </>
  );
}
