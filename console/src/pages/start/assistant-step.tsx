import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ASSISTANT_TYPES, LLM_PROVIDERS } from '../../../../contract/values/constants.ts';
import type { AssistantType, LlmProviderName } from '../../../../contract/values/constants.ts';
import type { Assistant } from 'conversation-analysis-client';
import { createAssistantMutation, listProvidersOptions } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { Form, FormButtons, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { Step } from './step.tsx';

const words = texts.start.assistant;

interface AssistantStepProps {
  assistants: readonly Assistant[];
  chosen: Assistant | undefined;
}

/** Chooses an assistant or creates one. */
export function AssistantStep({ assistants, chosen }: AssistantStepProps) {
  const [isNew, setNew] = useState(false);
  const navigate = useNavigate();
  const choose = (assistant: string) => {
    setNew(false);
    void navigate({ to: '/start', search: { assistant }, replace: true });
  };
  return (
    <Step number={1} title={texts.sessions.assistant} hint={words.hint} isDone={chosen !== undefined && !isNew}>
      {chosen && !isNew ? (
        <div className="row">
          <Choice
            label={texts.sessions.assistant}
            value={chosen.id}
            options={assistants.map(({ id, name, type }) => ({ value: id, label: `${name} (${texts.types[type]})` }))}
            onChoose={choose}
          />
          <Button scope="assistants:write" onClick={() => setNew(true)}>
            {words.another}
          </Button>
        </div>
      ) : (
        <NewAssistant onCreated={choose} onCancel={chosen && (() => setNew(false))} />
      )}
    </Step>
  );
}

interface NewAssistantProps {
  onCreated: (id: string) => void;
  onCancel: (() => void) | undefined;
}

function NewAssistant({ onCreated, onCancel }: NewAssistantProps) {
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
  const names = LLM_PROVIDERS.filter((name) => name !== 'local' || hasLocal);
  const submit = ({ name = '', type, llm_provider, system_prompt = '' }: Record<string, string>) =>
    creating.mutate({
      body: { name, type: type as AssistantType, llm_provider: llm_provider as LlmProviderName, system_prompt },
    });
  return (
    <Form error={creating.error} onSubmit={submit}>
      <TextField name="name" label={texts.common.name} defaultValue={words.sampleName} required maxLength={200} />
      <SelectField
        name="type"
        label={texts.sessions.type}
        options={optionsOf(ASSISTANT_TYPES.toReversed(), texts.types)}
      />
      <SelectField
        name="llm_provider"
        label={texts.usage.groups.provider}
        options={optionsOf(names, texts.providers)}
      />
      <TextAreaField
        name="system_prompt"
        label={texts.versions.settings.system_prompt}
        defaultValue={words.samplePrompt}
        required
        rows={4}
      />
      <FormButtons submit={texts.assistants.create} isDisabled={creating.isPending} onCancel={onCancel} />
    </Form>
  );
}
