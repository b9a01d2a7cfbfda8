/** Modal dialogs. The browser keeps the focus inside, and returns it when the dialog closes. */
import { X } from 'lucide-react';
import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import controlStyles from './control.module.css';
import styles from './dialog.module.css';
import { isUnsaved } from './form-values.ts';
import { Problem } from './problem.tsx';

interface ModalProps extends ComponentProps<'dialog'> {
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
        if (event.key !== 'Escape' || event.defaultPrevented) return;
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

interface DialogProps extends ModalProps {
  title: string;
  /** Default: true. */
  isOpen?: boolean;
  isWide?: boolean;
}

export function Dialog({ title, children, isOpen = true, isWide = false, ...modal }: DialogProps) {
  const titleId = useId();
  if (!isOpen) return null;
  return (
    <Modal aria-labelledby={titleId} className={isWide ? styles['wide'] : ''} {...modal}>
      <div className={styles['content']}>
        <h2 id={titleId}>{title}</h2>
        {children}
        {/* Last in the document, because an opened dialog focuses its first element. */}
        {modal.role !== 'alertdialog' && (
          <span className={styles['close']}>
            <Button look="quiet" size="small" isIcon label={texts.common.close} onClick={modal.onClose}>
              <X size={16} aria-hidden />
            </Button>
          </span>
        )}
      </div>
    </Modal>
  );
}

interface ConfirmDialogProps {
  /** Default: true. */
  isOpen?: boolean;
  onClose: () => void;
  title: string;
  detail: ReactNode;
  /** The label of the button, a verb. The same as on the button that opened the dialog. */
  action: string;
  /** Default: "Cancel". */
  closeLabel?: string;
  onConfirm: () => void;
  /** Text that the user must type to enable the action. */
  typed?: string | undefined;
  isDanger?: boolean;
  isBusy?: boolean;
  error?: unknown;
}

/** Asks for confirmation of an action that can't be undone. */
export function ConfirmDialog({ title, detail, action, onConfirm, ...state }: ConfirmDialogProps) {
  const { isOpen, onClose, isDanger = false, isBusy = false, error, typed, closeLabel = texts.common.cancel } = state;
  const [text, setText] = useState('');
  const detailId = useId();
  return (
    <Dialog role="alertdialog" aria-describedby={detailId} {...{ isOpen, onClose, title }}>
      <div id={detailId} className={styles['detail']}>
        {detail}
      </div>
      {typed !== undefined && (
        <label className={styles['typed']}>
          {texts.common.typeToConfirm(typed)}
          <input
            className={controlStyles['control']}
            autoComplete="off"
            inputMode="numeric"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      )}
      {error != null && <Problem error={error} />}
      <div className={`row ${styles['buttons']}`}>
        <Button onClick={onClose}>{closeLabel}</Button>
        <Button
          look={isDanger ? 'danger' : 'primary'}
          disabled={isBusy || (typed !== undefined && text.trim() !== typed)}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
