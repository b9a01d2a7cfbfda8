import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  /** Or a function that returns it when the button is pressed. */
  text: string | ((button: HTMLButtonElement) => string);
  label: string;
  word?: string;
  /** The key that presses it. */
  shortcut?: string;
}

/** Copies a text. Without a clipboard (plain HTTP on another host) it selects the text that is beside it instead. */
export function CopyButton({ text, label, word, shortcut }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    const copied = typeof text === 'string' ? text : button.current ? text(button.current) : '';
    if (!(await writeToClipboard(copied))) return selectBefore(button.current);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button
      ref={button}
      data-shortcut={shortcut}
      aria-keyshortcuts={shortcut}
      look={word ? 'plain' : 'quiet'}
      size={word ? 'normal' : 'small'}
      isIcon={!word}
      label={isCopied ? texts.common.copied : label}
      onClick={() => void copy()}
    >
      <Icon size={13} aria-hidden />
      {word && (isCopied ? texts.common.copied : word)}
      <span className="only-said" role="status">
        {isCopied ? texts.common.copied : ''}
      </span>
    </Button>
  );
}

async function writeToClipboard(text: string): Promise<boolean> {
  if (!('clipboard' in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function selectBefore(button: HTMLElement | null): void {
  const beside = button?.previousElementSibling;
  if (beside) getSelection()?.selectAllChildren(beside);
}
