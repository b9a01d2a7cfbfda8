/** A program that receives webhooks and checks their signatures: the files of the folder `examples`. */
import { useState } from 'react';
import python from '../../../examples/webhook_receiver.py?raw';
import typescript from '../../../examples/webhook-receiver.ts?raw';
import { Choice, optionsOf } from '../components/choice.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { texts } from '../texts/index.ts';

const PROGRAMS = { typescript, python };
const { language: label, languages } = texts.start.program;

export function ReceiverCode() {
  const [language, setLanguage] = useState<keyof typeof PROGRAMS>('typescript');
  return (
    <div className="stack">
      <div className="row">
        <Choice
          label={label}
          value={language}
          options={optionsOf(['typescript', 'python'] as const, languages)}
          onChoose={setLanguage}
        />
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {texts.shell.apiDocs}
        </a>
      </div>
      <CodeBlock text={PROGRAMS[language]} label={languages[language]} />
    </div>
  );
}
