import type { ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { Dialog } from './dialog.tsx';
import { DoneButton } from './field.tsx';

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
    <DoneButton onClose={onClose} />
  </Dialog>
);
