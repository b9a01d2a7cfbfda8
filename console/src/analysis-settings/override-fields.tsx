/** The settings of one analysis that stand in the place of the assistant's: of a session that is analyzed anew, or of many. */
import type { Assistant } from '../../../clients/typescript/src/index.ts';
import { LLM_PROVIDERS } from '../../../contract/constants.ts';
import { Fields, TextAreaField, TextField } from '../components/field.tsx';
import { texts } from '../texts/index.ts';
import { FieldsEditor } from './fields-editor.tsx';
import { ModelFields } from './model-fields.tsx';

const words = texts.session.reanalyze;

interface OverrideFieldsProps {
  /** What the names of the API's fields begin with. */
  prefix: '' | 'overrides.';
  /** What the inputs hold at first. */
  settings: Pick<Assistant, 'system_prompt' | 'llm_provider' | 'llm_model' | 'temperature'> &
    Partial<Pick<Assistant, 'fields'>>;
}

export function OverrideFields({ prefix, settings }: OverrideFieldsProps) {
  const { system_prompt, llm_provider, llm_model, temperature, fields } = settings;
  return (
    <Fields>
      <TextAreaField
        name={`${prefix}system_prompt`}
        label={words.prompt}
        defaultValue={system_prompt}
        rows={8}
        required
      />
      <ModelFields
        prefix={`${prefix}llm`}
        labels={{ provider: words.provider, model: words.model }}
        names={LLM_PROVIDERS}
        initial={{ provider: llm_provider, model: llm_model }}
      />
      <TextField
        name={`${prefix}temperature`}
        label={words.temperature}
        type="number"
        min={0}
        max={1}
        step={0.05}
        defaultValue={temperature}
      />
      <FieldsEditor prefix={prefix} fields={fields ?? []} />
    </Fields>
  );
}
