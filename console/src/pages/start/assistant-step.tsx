import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ASSISTANT_TYPES, LLM_PROVIDERS } from '../../../../contract/constants.ts';
import type { AssistantType, LlmProviderName } from '../../../../contract/constants.ts';
import type { Assistant } from '../../../../clients/typescript/src/index.ts';
import { createAssistantMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Form, FormButtons, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { Step } from './step.tsx';
import styles from './step.module.css';

const words = texts.start.assistant;

/** Which assistant looks at the conversation: one that exists, or a new one. */
export function AssistantStep({
  assistants,
  chosen,
}: {
  assistants: readonly Assistant[];
  chosen: Assistant | undefined;
}) {
  const [isNew, setNew] = useState(false);
  const navigate = useNavigate();
  const choose = (assistant: string) => void navigate({ to: '/start', search: { assistant }, replace: true });
  const close = () => setNew(false);
  return (
    <Step number={1} title={words.title} hint={words.hint} isDone={chosen !== undefined && !isNew}>
      {chosen && !isNew ? (
        <div className={styles['line']}>
          <Choice
            label={words.choose}
            value={chosen.id}
            options={assistants.map(({ id, name, type }) => ({
              value: id,
              label: words.named(name, texts.types[type]),
            }))}
            onChange={(event) => choose(event.target.value)}
          />
          <Button onClick={() => setNew(true)}>{words.another}</Button>
        </div>
      ) : (
        <NewAssistant
          onCreated={(id) => {
            close();
            choose(id);
          }}
          onCancel={chosen && close}
        />
      )}
    </Step>
  );
}

function NewAssistant({
  onCreated,
  onCancel,
}: {
  onCreated: (id: string) => void;
  onCancel: (() => void) | undefined;
}) {
  const creating = useMutation({
    ...createAssistantMutation(),
    onSuccess: async ({ id }) => {
      await refresh('listAssistants');
      onCreated(id);
    },
  });
  const submit = ({ name = '', type, llm_provider, system_prompt = '' }: Record<string, string>) =>
    creating.mutate({
      body: {
        ...{ name, system_prompt },
        type: type as AssistantType,
        llm_provider: llm_provider as LlmProviderName,
      },
    });
  return (
    <Form error={creating.error} onSubmit={submit}>
      <TextField name="name" label={words.name} defaultValue={words.sampleName} required maxLength={200} />
      <SelectField
        name="type"
        label={words.type}
        options={ASSISTANT_TYPES.toReversed().map((type) => ({ value: type, label: texts.types[type] }))}
      />
      <SelectField
        name="llm_provider"
        label={words.provider}
        options={LLM_PROVIDERS.map((name) => ({ value: name, label: texts.providers[name] }))}
      />
      <TextAreaField name="system_prompt" label={words.prompt} defaultValue={words.samplePrompt} required rows={4} />
      <FormButtons>
        <Button type="submit" look="primary" disabled={creating.isPending}>
          {words.create}
        </Button>
        {onCancel && <Button onClick={onCancel}>{texts.common.cancel}</Button>}
      </FormButtons>
    </Form>
  );
}
