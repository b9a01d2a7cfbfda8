import type { ComponentProps } from 'react';
import { createPortal } from 'react-dom';
import styles from './dialog.module.css';
import { isUnsaved } from './form-values.ts';

export interface ModalProps extends ComponentProps<'dialog'> {
  onClose: () => void;
  role?: 'dialog' | 'alertdialog';
  /** Only its buttons close it, because it shows something only once. */
  isKept?: boolean;
}

/** A dialog without a title. Esc and a click outside close it, unless one of its forms has unsaved values. */
export function Modal({ onClose, role = 'dialog', isKept = false, className = '', ...dialog }: ModalProps) {
  const close = (element: HTMLElement) => {
    if (!isKept && ![...element.querySelectorAll('form')].some(isUnsaved)) onClose();
  };
  return createPortal(
    <dialog
      ref={openModal}
      role={role}
      className={`${styles['dialog']} ${className}`}
      onKeyDown={(event) => {
        // Not the `cancel` event: browsers let a page prevent it only once.
        if (event.key !== 'Escape' || event.defaultPrevented || event.currentTarget.querySelector(':popover-open'))
          return;
        event.preventDefault();
        close(event.currentTarget);
      }}
      onMouseDown={({ target, currentTarget }) => {
        if (role === 'dialog' && target === currentTarget) close(currentTarget);
      }}
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      {...dialog}
    />,
    document.body,
  );
}

function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  return () => dialog.close();
}
