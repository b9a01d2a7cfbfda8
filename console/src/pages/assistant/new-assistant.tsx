import { useLocation, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Choice } from '../../components/choice.tsx';
import { isUnsaved } from '../../components/form-values.ts';
import { Part } from '../../components/part.tsx';
import { DiscardDialog } from '../../components/unsaved-guard.tsx';
import { texts } from '../../texts/index.ts';
import { fieldsOf, templateOf, templates } from '../../analysis-settings/templates.ts';
import { AssistantForm } from './assistant-form.tsx';
import { toInput } from './assistant-input.ts';
import styles from './edit-assistant.module.css';
import { useCreate } from './use-create.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The assistant is created for a conversation that is submitted next. */
    isFirstStep?: boolean;
  }
}

const words = texts.start.assistant;

/** A form of a new assistant, which starts again with each choice of a template. */
export function NewAssistant() {
  const navigate = useNavigate();
  const isFirstStep = useLocation().state.isFirstStep === true;
  const [chosen, setChosen] = useState(templates[0]?.name ?? '');
  /** Chosen after something was typed into the form. */
  const [asked, setAsked] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const template = templateOf(chosen);
  const create = useCreate(
    isFirstStep ? (id) => navigate({ to: '/start', search: { assistant: id }, replace: true }) : undefined,
  );
  const choose = (name: string) => {
    const form = box.current?.querySelector('form');
    if (form && isUnsaved(form)) setAsked(name);
    else setChosen(name);
  };
  return (
    <div ref={box} className="stack">
      <div className={styles['sections']}>
        <Part title={words.template}>
          <div>
            <Choice
              label={words.template}
              options={[
                ...templates.map(({ name }) => ({ value: name, label: name })),
                { value: '', label: texts.start.noTemplate },
              ]}
              value={chosen}
              onChoose={choose}
            />
          </div>
        </Part>
      </div>
      <AssistantForm
        key={chosen}
        template={template && { name: template.name, system_prompt: template.prompt, fields: fieldsOf(template) }}
        action={texts.assistants.create}
        request={create}
        onSubmit={(values) => create.mutate({ body: toInput(values) })}
      />
      <DiscardDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          setAsked(undefined);
          setChosen(asked ?? '');
        }}
      />
    </div>
  );
}
