import { useState } from 'react';
import { texts } from '../../texts/index.ts';
import { fieldsOf, templateField, templateOf } from '../../analysis-settings/samples.ts';
import { StartFromField } from '../../analysis-settings/start-from-field.tsx';
import { AssistantForm } from './assistant-form.tsx';
import { toInput } from './assistant-input.ts';
import { useCreate } from './use-create.ts';

export function NewAssistant() {
  const [chosen, setChosen] = useState('');
  const template = templateOf(chosen);
  const create = useCreate();
  return (
    <>
      <StartFromField {...templateField} chosen={chosen} onChoose={setChosen} />
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
