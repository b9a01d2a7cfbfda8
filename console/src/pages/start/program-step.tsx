import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { createKeyMutation } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Choice } from '../../components/choice.tsx';
import { reporting } from '../../components/updates.ts';
import { texts } from '../../texts/index.ts';
import { PROGRAM_LANGUAGES, printProgram, type ProgramLanguage } from './print-program.ts';
import { Step } from './step.tsx';

const words = texts.start.program;

/** Shows the same request as a program, and creates an API token for it. */
export function ProgramStep({ assistant }: { assistant: Assistant }) {
  const [language, setLanguage] = useState<ProgramLanguage>('cURL');
  const creating = useMutation({ ...createKeyMutation(), ...reporting('listKeys') });
  const token = creating.data?.token;
  return (
    <Step number={4} title={words.title} hint={token ? words.tokenOnce : words.hint} isDone={token !== undefined}>
      <div className="row">
        <Choice
          label={texts.shell.language}
          value={language}
          options={PROGRAM_LANGUAGES.map((value) => ({ value, label: value }))}
          onChoose={setLanguage}
        />
        {!token && (
          <Button
            scope="keys:write"
            disabled={creating.isPending}
            onClick={() => creating.mutate({ body: { name: words.tokenName } })}
          >
            {texts.tokens.create}
          </Button>
        )}
      </div>
      <CodeBlock text={printProgram(language, assistant, token)} label={language} />
    </Step>
  );
}
