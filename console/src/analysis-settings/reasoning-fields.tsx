import type { Assistant } from 'conversation-analysis-client';
import { REASONING_EFFORTS } from '../../../contract/values/constants.ts';
import { SelectField, TextField } from '../components/field.tsx';
import { texts } from '../texts/index.ts';

interface ReasoningFieldsProps {
  prefix: '' | 'overrides.';
  settings: Partial<Pick<Assistant, 'reasoning_effort' | 'max_output_tokens'>> | undefined;
}

/** How long the model may think, and how much it may write. Empty inputs: the default. */
export function ReasoningFields({ prefix, settings }: ReasoningFieldsProps) {
  const words = texts.assistant;
  return (
    <>
      <SelectField
        name={`${prefix}reasoning_effort`}
        label={texts.versions.settings.reasoning_effort}
        hint={words.effortHint}
        defaultValue={settings?.reasoning_effort ?? ''}
        options={[
          { value: '', label: words.effortDefault },
          ...REASONING_EFFORTS.map((value) => ({ value, label: value })),
        ]}
      />
      <TextField
        name={`${prefix}max_output_tokens`}
        label={texts.versions.settings.max_output_tokens}
        hint={words.outputHint}
        type="number"
        min={512}
        max={200_000}
        defaultValue={settings?.max_output_tokens ?? ''}
      />
    </>
  );
}
