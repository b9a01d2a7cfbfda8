import { createContext, useContext, type ReactNode } from 'react';
import styles from './page.module.css';

/** Which panels are open, by title. A form that starts again inside keeps what somebody opened and closed. */
export const OpenPanels = createContext<Map<string, boolean> | undefined>(undefined);

interface FoldedPanelProps {
  title: string;
  /** What the closed panel says about its content. */
  state?: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
}

/** A panel that a click opens. */
export function FoldedPanel({ title, state, isOpen, children }: FoldedPanelProps) {
  const open = useContext(OpenPanels);
  return (
    <details
      className={styles['panel']}
      open={open?.get(title) ?? isOpen}
      onToggle={({ currentTarget }) => open?.set(title, currentTarget.open)}
    >
      <summary className={styles['fold']}>
        <h2>{title}</h2> {state && <span className="note">{state}</span>}
      </summary>
      <div className={styles['panelBody']}>{children}</div>
    </details>
  );
}
