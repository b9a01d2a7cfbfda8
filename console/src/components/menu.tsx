/** Panels below a button: the browser closes them with Esc and with a click outside, and returns the focus to the button. */
import { Ellipsis } from 'lucide-react';
import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './menu.module.css';

interface PopoverProps extends ComponentProps<typeof Button> {
  /** Returns the content, while the panel is open. */
  panel: (close: () => void) => ReactNode;
}

/** A button that opens a panel, such as a filter. Its children are those of the button. */
export function Popover({ panel, ...button }: PopoverProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button popoverTarget={id} aria-expanded={isOpen} {...button} />
      <div id={id} popover="auto" className={styles['panel']} onToggle={({ newState }) => setOpen(newState === 'open')}>
        {isOpen && panel(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  );
}

/** The button "…" with less frequent actions: buttons and links as children. Without any, nothing is shown. */
export function Menu({ label = texts.common.actions, children }: { label?: string; children: ReactNode }) {
  const id = useId();
  return (
    <span className={styles['more']}>
      <Button popoverTarget={id} isIcon label={label}>
        <Ellipsis size={16} aria-hidden />
      </Button>
      {/* The entries stay, because some of them open a dialog. */}
      <div
        id={id}
        popover="auto"
        className={`${styles['panel']} ${styles['menu']}`}
        onClick={({ target, currentTarget }) => {
          if ((target as Element).closest('a, button:not([data-stays])')) currentTarget.hidePopover();
        }}
      >
        {children}
      </div>
    </span>
  );
}
