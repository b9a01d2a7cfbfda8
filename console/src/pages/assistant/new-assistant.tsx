import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createAssistantMutation } from 'conversation-analysis-client/react-query';
import { showToast } from '../../components/toasts.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { fieldsOf, templateOf } from '../start/samples.ts';
import { TemplateField } from '../start/template-field.tsx';
import { AssistantForm } from './assistant-form.tsx';
import { toInput } from './assistant-input.ts';

export function NewAssistant() {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState('');
  const template = templateOf(chosen);
  const create = useMutation({
    ...createAssistantMutation(),
    onSuccess: ({ id }) => {
      void refresh('listAssistants');
      showToast(texts.assistant.created);
      return navigate({ to: '/assistants/$assistantId', params: { assistantId: id }, replace: true });
    },
  });
  return (
    <>
      <TemplateField chosen={chosen} onChoose={setChosen} />
      <AssistantForm
        key={chosen}
        template={template && { name: template.name, system_prompt: template.prompt, fields: fieldsOf(template) }}
        action={texts.assistants.create}
        request={create}
        onSubmit={(values) => create.mutate({ body: toInput(values) })}
      />
    </>
  );
}
