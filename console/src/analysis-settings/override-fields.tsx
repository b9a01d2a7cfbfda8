/** Inputs for the settings of a reanalysis, which override those of the assistant. */
import type { Assistant } from 'conversation-analysis-client';
import { LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import { Columns, Fields } from '../components/field.tsx';
import { texts } from '../texts/index.ts';
import { FieldsEditor } from './fields-editor.tsx';
import { ModelFields } from './model-fields.tsx';
import { SettingField, SettingFields } from './setting-field.tsx';

interface OverrideFieldsProps {
  prefix: '' | 'overrides.';
  /** The initial values. */
  settings: Partial<Assistant> & Pick<Assistant, 'llm_provider' | 'llm_model'>;
}

export const OverrideFields = ({ prefix, settings }: OverrideFieldsProps) => (
  <Fields>
    <SettingField name="system_prompt" prefix={prefix} settings={settings} />
    <FieldsEditor prefix={prefix} given={settings.fields ?? []} />
    <Columns>
      <ModelFields
        prefix={`${prefix}llm`}
        labels={{ provider: texts.assistant.llmProvider, model: texts.settingTitles.llm_model }}
        names={LLM_PROVIDERS}
        initial={{ provider: settings.llm_provider, model: settings.llm_model }}
      />
      <SettingFields
        of={({ group, isOverridable }) => group === 'more' && isOverridable === true}
        prefix={prefix}
        settings={settings}
      />
    </Columns>
  </Fields>
);
