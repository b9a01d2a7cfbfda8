/** The inputs of required wording, and of whose words count. */
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { SelectField, TextAreaField, TextField } from '../components/field.tsx';
import { wordRole } from '../format/roles.ts';
import { texts } from '../texts/index.ts';

const words = { ...texts.versions.properties, ...texts.assistant.fields };

export const SpeakerField = ({ name, given = '' }: { name: string; given: string | undefined }) => (
  <SelectField
    name={name}
    label={words.said_by}
    defaultValue={given}
    options={['', 'operator', 'client'].map((value) => ({ value, label: value ? wordRole(value) : words.anyone }))}
  />
);

export const SaidInputs = ({ path, given }: { path: string; given: ResultField | undefined }) => (
  <>
    <TextAreaField
      name={`${path}.phrases`}
      label={words.phrases}
      hint={words.phrasesHint}
      defaultValue={given?.phrases?.join('\n')}
      rows={2}
      required
    />
    <SpeakerField name={`${path}.by`} given={given?.by} />
    <TextField
      name={`${path}.within_s`}
      label={words.within_s}
      type="number"
      min={1}
      isOptional
      defaultValue={given?.within_s}
    />
  </>
);
