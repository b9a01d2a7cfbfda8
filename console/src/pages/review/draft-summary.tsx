import { LIMITS } from '../../../../contract/values/limits.ts';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextForm } from '../../fields/answer-form.tsx';
import { texts } from '../../texts/index.ts';
import styles from './review.module.css';

const words = { ...texts.walk, ...texts.reviews };
const label = texts.share.parts.summary;

interface DraftSummaryProps {
  /** The model's summary. */
  summary: string;
  corrected: string | null;
  isHidden: boolean;
  isRedacted: boolean;
  onChange: (corrected: string | null) => void;
}

/** The summary, which is stored with the answers if the person corrects it. */
export function DraftSummary({ summary, corrected, isHidden, isRedacted, onChange }: DraftSummaryProps) {
  const [isOpen, setOpen] = useState(false);
  const change = (entered: string | null) => {
    onChange(entered);
    setOpen(false);
  };
  return (
    <section className={styles['summary']}>
      <h3>{label}</h3>
      {isHidden ? (
        <p className="note">{words.hidden}</p>
      ) : isOpen ? (
        <TextForm
          label={label}
          maxLength={LIMITS.summary}
          value={corrected ?? summary}
          error={null}
          isSaving={false}
          isRedacted={isRedacted}
          onSave={change}
          onClose={() => setOpen(false)}
        />
      ) : (
        <p dir="auto">
          {corrected ?? summary}{' '}
          <Button look="quiet" size="small" label={words.onField(words.correct, label)} onClick={() => setOpen(true)}>
            {words.correct}
          </Button>
          {corrected !== null && (
            <Button look="quiet" size="small" label={words.onField(words.undo, label)} onClick={() => change(null)}>
              {words.undo}
            </Button>
          )}
        </p>
      )}
    </section>
  );
}
