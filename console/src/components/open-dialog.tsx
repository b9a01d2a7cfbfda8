import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Problem } from './problem.tsx';

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  detail: ReactNode;
  /** A plain verb, the same as on the button that opened the dialog. */
  action: string;
  onConfirm: () => void;
  isDanger?: boolean;
  isBusy?: boolean;
  error?: unknown;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ isOpen, onClose, title, detail, action, onConfirm, ...state }: ConfirmDialogProps) {
  const { isDanger = false, isBusy = false, error } = state;
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['backdrop']} />
        <AlertDialog.Popup className={styles['popup']}>
          <AlertDialog.Title className={styles['title']}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles['detail']} render={<div />}>
            {detail}
          </AlertDialog.Description>
          {error != null && <Problem error={error} />}
          <div className={styles['buttons']}>
            <AlertDialog.Close render={<Button />}>{texts.common.cancel}</AlertDialog.Close>
            <Button look={isDanger ? 'danger' : 'primary'} disabled={isBusy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  isWide?: boolean;
}

export function Dialog({ isOpen, onClose, title, children, isWide = false }: DialogProps) {
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles['backdrop']} />
        <BaseDialog.Popup className={isWide ? `${styles['popup']} ${styles['wide']}` : styles['popup']}>
          <BaseDialog.Title className={styles['title']}>{title}</BaseDialog.Title>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
