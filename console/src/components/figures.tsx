import type { ReactNode } from 'react';
import styles from './figures.module.css';

/** A row of summary numbers. */
export const Figures = ({ children }: { children: ReactNode }) => <dl className={styles['figures']}>{children}</dl>;

interface FigureProps {
  label: ReactNode;
  /** The number, linked to its rows if possible. */
  children: ReactNode;
  note?: ReactNode;
}

export const Figure = ({ label, children, note }: FigureProps) => (
  <div className={styles['figure']}>
    <dt className="note">{label}</dt>
    <dd className={styles['value']}>{children}</dd>
    {note && <dd className={styles['note']}>{note}</dd>}
  </div>
);
