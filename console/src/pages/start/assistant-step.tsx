import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Skeleton } from '../../components/page.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';
import { Step } from './step.tsx';
import { words as start } from './words.ts';

const NewAssistant = lazyPart(() => import('./new-assistant.tsx'), 'NewAssistant');
const words = start.assistant;

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
        <Suspense fallback={<Skeleton lines={6} />}>
          <NewAssistant onCreated={choose} onCancel={chosen && (() => setNew(false))} />
        </Suspense>
      )}
    </Step>
  );
}
