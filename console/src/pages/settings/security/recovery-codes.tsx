import { useState } from 'react';
import { Button, ButtonAnchor } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CheckField } from '../../../components/field.tsx';
import { texts } from '../../../texts/index.ts';

const words = texts.security;

/** Shows new recovery codes until the user has saved them. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const [isSaved, setSaved] = useState(false);
  const text = codes.join('\n');
  return (
    <div className="stack">
      <p>{words.codesDetail}</p>
      <CodeBlock text={text} label={words.codes} />
      <CheckField
        name="saved"
        label={words.saved}
        checked={isSaved}
        onChange={({ target }) => setSaved(target.checked)}
      />
      <div className="row">
        <ButtonAnchor href={`data:text/plain,${encodeURIComponent(`${text}\n`)}`} download="recovery-codes.txt">
          {words.download}
        </ButtonAnchor>
        <Button look="primary" disabled={!isSaved} onClick={onClose}>
          {texts.labels.done}
        </Button>
      </div>
    </div>
  );
}
