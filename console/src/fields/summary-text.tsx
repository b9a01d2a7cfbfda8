/** A summary that a person can correct. */
import { Pencil, Undo2, type LucideIcon } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { LIMITS } from '../../../contract/values/limits.ts';
import { Button } from '../components/button.tsx';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';

const TextForm = lazyPart(() => import('./answer-form.tsx'), 'TextForm');

const words = texts.reviews;
const label = texts.share.parts.summary;

interface SummaryTextProps {
  /** The model's summary. */
  text: string;
  corrected: string | null;
  /** What stands before the buttons. */
  children: ReactNode;
  isRedacted: boolean;
  isDisabled?: boolean;
  /** Stores a correction, or undoes it, and calls `done` when it is stored. */
  onChange: (corrected: string | null, done: () => void) => void;
}

export function SummaryText({ text, corrected, children, isRedacted, isDisabled, onChange }: SummaryTextProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const button = (Icon: LucideIcon, name: string, act: () => void) => (
    <Button look="quiet" size="small" isIcon label={words.onField(name, label)} disabled={isDisabled} onClick={act}>
      <Icon size={14} aria-hidden />
    </Button>
  );
  return isOpen ? (
    <Suspense>
      <TextForm
        label={label}
        maxLength={LIMITS.summary}
        value={corrected ?? text}
        isRedacted={isRedacted}
        error={null}
        isSaving={isDisabled ?? false}
        onSave={(entered) => onChange(entered, close)}
        onClose={close}
      />
    </Suspense>
  ) : (
    <>
      {children} {button(Pencil, words.correct, () => setOpen(true))}
      {corrected !== null && button(Undo2, words.undo, () => onChange(null, close))}
    </>
  );
}
