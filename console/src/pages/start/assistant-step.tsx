import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Skeleton } from '../../components/page.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';
import { Step } from './step.tsx';

const loadForms = () => import('./assistant-forms.tsx');
const NewAssistant = lazyPart(loadForms, 'NewAssistant');
const EditQuestions = lazyPart(loadForms, 'EditQuestions');
const words = texts.start.assistant;

interface AssistantStepProps {
  assistants: readonly Assistant[];
  chosen: Assistant | undefined;
}

/** Chooses an assistant or creates one. */
export function AssistantStep({ assistants, chosen }: AssistantStepProps) {
  const [editing, setEditing] = useState<'new' | 'questions'>();
  const close = () => setEditing(undefined);
  const navigate = useNavigate();
  const choose = (assistant: string) => {
    close();
    void navigate({ to: '/start', search: { assistant }, replace: true });
  };
  return (
    <Step number={1} title={texts.kinds.asst} hint={words.hint} isDone={chosen !== undefined && !editing}>
      {chosen && !editing ? (
        <>
          <div className="row">
            <Choice
              label={texts.kinds.asst}
              value={chosen.id}
              options={assistants.map(({ id, name, type }) => ({ value: id, label: `${name} (${texts.types[type]})` }))}
              onChoose={choose}
            />
            <Button scope="assistants:write" onClick={() => setEditing('questions')}>
              {words.questions}
            </Button>
            <Button scope="assistants:write" onClick={() => setEditing('new')}>
              {words.another}
            </Button>
          </div>
          <p className="note">
            {`${texts.settingTitles.fields}: ${chosen.fields?.map(({ name, title }) => title ?? name).join(', ') ?? texts.labels.none}`}
          </p>
        </>
      ) : (
        <Suspense fallback={<Skeleton lines={6} />}>
          {chosen && editing === 'questions' ? (
            <EditQuestions key={chosen.id} assistantId={chosen.id} onClose={close} />
          ) : (
            <NewAssistant onCreated={choose} onCancel={chosen && close} />
          )}
        </Suspense>
      )}
    </Step>
  );
}
