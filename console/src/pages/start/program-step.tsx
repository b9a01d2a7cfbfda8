import { useMutation } from '@tanstack/react-query';
import type { Assistant } from 'conversation-analysis-client';
import { createKeyMutation } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { reporting } from '../../components/updates.ts';
import { texts } from '../../texts/index.ts';
import { printProgram } from './print-program.ts';
import { Step } from './step.tsx';

const words = texts.start.program;

/** Shows the same request as a command, and creates an API token for it. */
export function ProgramStep({ assistant }: { assistant: Assistant }) {
  const creating = useMutation({ ...createKeyMutation(), ...reporting('listKeys') });
  const token = creating.data?.token;
  return (
    <Step number={4} title={words.title} hint={token ? words.tokenOnce : words.hint} isDone={token !== undefined}>
      <div className="row">
        {!token && (
          <Button
            scope="keys:write"
            disabled={creating.isPending}
            onClick={() => creating.mutate({ body: { name: words.tokenName } })}
          >
            {texts.tokens.create}
          </Button>
        )}
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {texts.shell.apiDocs}
        </a>
      </div>
      <CodeBlock text={printProgram(assistant, token)} label="cURL" />
    </Step>
  );
}
