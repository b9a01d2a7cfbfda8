import type { ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { Dialog } from './dialog.tsx';
import { Button } from './button.tsx';
import { FormButtons } from './field.tsx';
import { texts } from '../texts/index.ts';

interface OnceDialogProps {
  title: string;
  detail: string;
  text: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Shows a text that no other response contains. Only its button closes it. */
export const OnceDialog = ({ title, detail, text, onClose, children }: OnceDialogProps) => (
  <Dialog onClose={onClose} title={title} isWide isKept>
    <p>{detail}</p>
    <CodeBlock text={text} label={title} />
    {children}
    <FormButtons>
      <Button look="primary" onClick={onClose}>
        {texts.labels.done}
      </Button>
    </FormButtons>
  </Dialog>
);
