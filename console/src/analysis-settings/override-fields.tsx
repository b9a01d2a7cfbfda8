/** Inputs for the settings of a reanalysis, which override those of the assistant. */
import type { Assistant } from 'conversation-analysis-client';
import { LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import { Columns, Fields, TextAreaField, TextField } from '../components/field.tsx';
import { texts } from '../texts/index.ts';
import { FieldsEditor } from './fields-editor.tsx';
import { ModelFields } from './model-fields.tsx';
import { ReasoningFields } from './reasoning-fields.tsx';

const words = texts.assistant;

interface OverrideFieldsProps {
  /** Prefix of the input names. */
  prefix: '' | 'overrides.';
  /** The initial values. */
  settings: Pick<Assistant, 'system_prompt' | 'llm_provider' | 'llm_model' | 'temperature'> &
    Partial<Pick<Assistant, 'fields' | 'reasoning_effort' | 'max_output_tokens'>>;
}

export function OverrideFields({ prefix, settings }: OverrideFieldsProps) {
  const { system_prompt, llm_provider, llm_model, temperature, fields } = settings;
  return (
    <Fields>
      <TextAreaField
        name={`${prefix}system_prompt`}
        label={texts.versions.settings.system_prompt}
        defaultValue={system_prompt}
        rows={4}
        required
      />
      <FieldsEditor prefix={prefix} given={fields ?? []} />
      <Columns>
        <ModelFields
          prefix={`${prefix}llm`}
          labels={{ provider: words.llmProvider, model: texts.versions.settings.llm_model }}
          names={LLM_PROVIDERS}
          initial={{ provider: llm_provider, model: llm_model }}
        />
        <TextField
          name={`${prefix}temperature`}
          label={texts.versions.settings.temperature}
          type="number"
          min={0}
          max={1}
          step={0.05}
          defaultValue={temperature}
        />
        <ReasoningFields prefix={prefix} settings={settings} />
      </Columns>
    </Fields>
  );
}
