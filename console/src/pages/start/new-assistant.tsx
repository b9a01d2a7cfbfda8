import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ASSISTANT_TYPES, type AssistantType, type LlmProviderName } from '../../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../../contract/values/providers.ts';
import { createAssistantMutation, listProvidersOptions } from 'conversation-analysis-client/react-query';
import { optionsOf } from '../../components/choice.tsx';
import { Columns, Form, FormButtons, SelectField } from '../../components/field.tsx';
import { refresh } from '../../server/queries.ts';
import { PROVIDER_NAMES } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import { defaultProvider } from '../../analysis-settings/default-provider.ts';
import { FieldsEditor } from '../../analysis-settings/fields-editor.tsx';
import { readFields } from '../../analysis-settings/read-fields.ts';
import { fieldsOf, templateField, templateOf, templates } from '../../analysis-settings/samples.ts';
import { SettingField } from '../../analysis-settings/setting-field.tsx';
import { StartFromField } from '../../analysis-settings/start-from-field.tsx';

interface NewAssistantProps {
  onCreated: (id: string) => void;
  onCancel: (() => void) | undefined;
}

/** Creates an assistant, from a template if the user wants. */
export function NewAssistant({ onCreated, onCancel }: NewAssistantProps) {
  const creating = useMutation({
    ...createAssistantMutation(),
    onSuccess: async ({ id }) => {
      await refresh('listAssistants');
      onCreated(id);
    },
  });
  const { data } = useQuery(listProvidersOptions());
  // This form has no field for a model.
  const hasLocal = data?.data.some(
    ({ provider, step, configured, default_model }) =>
      provider === 'local' && step === 'analysis' && configured && default_model !== null,
  );
  const byDefault = defaultProvider(data?.data);
  const names = LLM_PROVIDERS.filter((name) => name !== 'local' || hasLocal);
  const [chosen, setChosen] = useState(templates[0]?.name ?? '');
  const template = templateOf(chosen);
  const submit = (values: Record<string, string>) => {
    const { name = '', type, llm_provider, system_prompt = '' } = values;
    const typed = { type: type as AssistantType, llm_provider: llm_provider as LlmProviderName };
    creating.mutate({ body: { name, system_prompt, ...typed, fields: readFields(values) } });
  };
  return (
    <div className="stack">
      <StartFromField {...templateField} chosen={chosen} onChoose={setChosen} />
      <Form key={chosen} error={creating.error} onSubmit={submit}>
        <Columns>
          <SettingField name="name" settings={template && { name: template.name }} />
          <SelectField
            name="type"
            label={texts.versions.properties.type}
            options={optionsOf(ASSISTANT_TYPES.toReversed(), texts.types)}
          />
          <SelectField
            key={byDefault}
            name="llm_provider"
            defaultValue={byDefault}
            label={texts.usage.groups.provider}
            options={optionsOf(names, PROVIDER_NAMES)}
          />
        </Columns>
        <SettingField name="system_prompt" settings={template && { system_prompt: template.prompt }} />
        <FieldsEditor given={template ? fieldsOf(template) : []} saved={[]} />
        <FormButtons submit={texts.assistants.create} isDisabled={creating.isPending} onCancel={onCancel} />
      </Form>
    </div>
  );
}
