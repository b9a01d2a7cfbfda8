import { Check, Copy, type LucideIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  /** A function reads the text when it is copied. */
  text: string | (() => string);
  label: string;
  word?: string;
  look?: 'plain' | 'quiet';
  icon?: LucideIcon;
}

/** Copies text. If the browser offers no clipboard (plain HTTP on another host), selects the text before the button. */
export function CopyButton({ text, label, word, icon = Copy, ...props }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    } catch {
      const before = button.current?.previousElementSibling;
      if (before) getSelection()?.selectAllChildren(before);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const Icon = isCopied ? Check : icon;
  return (
    <Button
      ref={button}
      data-stays=""
      look={props.look ?? (word ? 'plain' : 'quiet')}
      size={(word ?? props.look) ? 'normal' : 'small'}
      isIcon={!word}
      label={isCopied ? texts.labels.copied : label}
      onClick={() => void copy()}
    >
      <Icon size={13} aria-hidden />
      {word && (isCopied ? texts.labels.copied : word)}
      <span className="visually-hidden" role="status">
        {isCopied ? texts.labels.copied : ''}
      </span>
    </Button>
  );
}
