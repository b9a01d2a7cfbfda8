import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ASSISTANT_TYPES, type AssistantType, type LlmProviderName } from '../../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../../contract/values/providers.ts';
import { createAssistantMutation, listProvidersOptions } from 'conversation-analysis-client/react-query';
import { optionsOf } from '../../components/choice.tsx';
import { Form, FormButtons, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { refresh } from '../../server/queries.ts';
import { PROVIDER_NAMES } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import { defaultProvider } from '../../analysis-settings/default-provider.ts';
import { fieldsOf, templateOf, templates } from '../../analysis-settings/samples.ts';
import { TemplateField } from '../../analysis-settings/template-field.tsx';

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
  const fields = template && fieldsOf(template);
  const submit = ({ name = '', type, llm_provider, system_prompt = '' }: Record<string, string>) => {
    const typed = { type: type as AssistantType, llm_provider: llm_provider as LlmProviderName };
    creating.mutate({ body: { name, system_prompt, ...typed, ...(fields && { fields }) } });
  };
  return (
    <>
      <TemplateField chosen={chosen} onChoose={setChosen} />
      <Form key={chosen} error={creating.error} onSubmit={submit}>
        <TextField name="name" label={texts.labels.name} defaultValue={template?.name} required maxLength={200} />
        <SelectField
          name="type"
          label={texts.sessions.type}
          options={optionsOf(ASSISTANT_TYPES.toReversed(), texts.types)}
        />
        <SelectField
          key={byDefault}
          name="llm_provider"
          defaultValue={byDefault}
          label={texts.usage.groups.provider}
          options={optionsOf(names, PROVIDER_NAMES)}
        />
        <TextAreaField
          name="system_prompt"
          label={texts.versions.settings.system_prompt}
          defaultValue={template?.prompt}
          required
          rows={4}
        />
        {fields && (
          <ul className="note" aria-label={texts.versions.settings.fields}>
            {fields.map(({ name, title, description }) => (
              <li key={name}>{`${title}: ${description}`}</li>
            ))}
          </ul>
        )}
        <FormButtons submit={texts.assistants.create} isDisabled={creating.isPending} onCancel={onCancel} />
      </Form>
    </>
  );
}
