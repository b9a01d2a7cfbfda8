/** Modal dialogs. The browser keeps the focus inside, and returns it when the dialog closes. */
import { X } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import controlStyles from './control.module.css';
import styles from './dialog.module.css';
import { Modal, type ModalProps } from './modal.tsx';
import { Problem } from './problem-note.tsx';

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
            <Button look="quiet" size="small" isIcon label={texts.labels.close} onClick={modal.onClose}>
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
  const { isOpen, onClose, isDanger = false, isBusy = false, error, typed, closeLabel = texts.labels.cancel } = state;
  const [text, setText] = useState('');
  const detailId = useId();
  return (
    <Dialog role="alertdialog" aria-describedby={detailId} {...{ isOpen, onClose, title }}>
      <div id={detailId} className={styles['detail']}>
        {detail}
      </div>
      {typed !== undefined && (
        <label className={styles['typed']}>
          {texts.labels.typeToConfirm(typed)}
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
