import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/index.ts';
import styles from './step.module.css';

interface StepProps {
  number: number;
  title: string;
  hint?: ReactNode;
  isDone?: boolean;
  children?: ReactNode;
}

/** A step of the first request. A completed step has a check mark. */
export const Step = ({ number, title, hint, isDone = false, children }: StepProps) => (
  <section className={styles['step']} data-done={isDone ? '' : undefined}>
    <span className={styles['number']} aria-hidden>
      {isDone ? <Check size={14} /> : number}
    </span>
    <div className="stack">
      <h2>
        {title}
        {isDone && <span className="visually-hidden"> {texts.labels.done}</span>}
      </h2>
      {hint && <p className="note">{hint}</p>}
      {children}
    </div>
  </section>
);
