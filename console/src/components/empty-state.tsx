import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  icon?: LucideIcon;
  title: string;
  /** Why the list is empty. */
  detail?: ReactNode;
  /** What to do next. */
  actions?: ReactNode;
}

export const EmptyState = ({ icon: Icon, title, detail, actions }: EmptyStateProps) => (
  <div className={styles['empty']}>
    {Icon && <Icon size={28} strokeWidth={1.5} aria-hidden />}
    <h2>{title}</h2>
    {detail && <p>{detail}</p>}
    {actions && <div className="row">{actions}</div>}
  </div>
);
