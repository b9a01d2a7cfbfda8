/** The parts of a long form: the title on the left, the inputs on the right. */
import { createContext, useContext, type ReactNode } from 'react';
import styles from './part.module.css';

/** Which parts are open, by title. A form that starts again inside keeps what somebody opened and closed. */
export const OpenParts = createContext<Map<string, boolean> | undefined>(undefined);

interface PartProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

export const Part = ({ title, hint, children }: PartProps) => (
  <section className={styles['part']}>
    <div className={styles['head']}>
      <div>
        <h2>{title}</h2>
        {hint && <p className="note">{hint}</p>}
      </div>
      {children}
    </div>
  </section>
);

interface FoldedPartProps extends PartProps {
  /** What the closed part says about its content. */
  state?: ReactNode;
  isOpen?: boolean;
}

/** A part that a click opens. */
export function FoldedPart({ title, hint, state, isOpen, children }: FoldedPartProps) {
  const open = useContext(OpenParts);
  return (
    <details
      className={styles['part']}
      open={open?.get(title) ?? isOpen}
      onToggle={({ currentTarget }) => open?.set(title, currentTarget.open)}
    >
      <summary className={styles['head']}>
        <h2>{title}</h2>
        <span className="note">{state}</span>
      </summary>
      <div className={`stack ${styles['body']}`}>
        {hint && <p className="note">{hint}</p>}
        {children}
      </div>
    </details>
  );
}
