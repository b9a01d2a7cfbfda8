/** A program that receives webhooks and checks their signatures: the files of the folder `examples`. */
import { useState } from 'react';
import python from '../../../examples/webhook_receiver.py?raw';
import typescript from '../../../examples/webhook-receiver.ts?raw';
import { Choice } from '../components/choice.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { texts } from '../texts/index.ts';

const PROGRAMS = { TypeScript: typescript, Python: python };
const OPTIONS = (['TypeScript', 'Python'] as const).map((value) => ({ value, label: value }));

export function ReceiverCode() {
  const [language, setLanguage] = useState<keyof typeof PROGRAMS>('TypeScript');
  return (
    <div className="stack">
      <div className="row">
        <Choice label={texts.shell.language} value={language} options={OPTIONS} onChoose={setLanguage} />
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {texts.shell.apiDocs}
        </a>
      </div>
      <CodeBlock text={PROGRAMS[language]} label={language} />
    </div>
  );
}
