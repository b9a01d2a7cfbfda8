import type { ReactNode } from 'react';
import styles from './figures.module.css';

/** Numbers that sum a page up, side by side. */
export const Figures = ({ children }: { children: ReactNode }) => <dl className={styles['figures']}>{children}</dl>;

interface FigureProps {
  label: ReactNode;
  /** The number; a link to the rows that it counts, where there are any. */
  children: ReactNode;
  note?: ReactNode;
}

export const Figure = ({ label, children, note }: FigureProps) => (
  <div className={styles['figure']}>
    <dt>{label}</dt>
    <dd className={styles['value']}>{children}</dd>
    {note && <dd className={styles['note']}>{note}</dd>}
  </div>
);
