/** The inputs of a score: points for the answers to the other questions of the form, and what passes. */
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { questionsOf } from '../../../contract/fields/field-types.ts';
import { hasPoints } from '../../../contract/fields/score.ts';
import { Columns, FieldGroup, TextAreaField, TextField } from '../components/field.tsx';
import { texts } from '../texts/index.ts';
import { ConditionsField, useFormFields } from './conditions-field.tsx';
import { printPoints } from './read-fields.ts';

const words = { ...texts.versions.properties, ...texts.assistant.fields };

export function ScoreInputs({ path, given }: { path: string; given: ResultField | undefined }) {
  const { fields, box } = useFormFields();
  return (
    <div {...box}>
      <FieldGroup name={`${path}.of`} label={words.of} hint={words.pointsHint}>
        <Columns>
          {fields.filter(hasPoints).map(({ value: key, label, values }) => (
            <TextAreaField
              key={key}
              name={`${path}.points_${key}`}
              label={label}
              rows={Math.max(2, values.length)}
              placeholder={values.map(({ value }) => `${value} = 0`).join('\n') || '0 = 0\n8 = 10'}
              defaultValue={printPoints(given?.of?.find(({ field }) => field === key)?.points ?? {}).join('\n')}
            />
          ))}
        </Columns>
      </FieldGroup>
      <TextField
        name={`${path}.pass`}
        label={words.pass}
        {...{ type: 'number', min: 0, max: 100, step: 'any' }}
        defaultValue={given?.pass ?? 80}
        required
      />
      <ConditionsField name={`${path}.must`} label={words.must} given={given?.must ?? []} offered={questionsOf} />
    </div>
  );
}
