import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './toasts.module.css';

export const manager = Toast.createToastManager();

const mounted = Promise.withResolvers<void>();

/** Resolves when the list is on the page. The manager drops toasts that are added earlier. */
export const isMounted = mounted.promise;

export function ToastList() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles['viewport']} aria-label={texts.labels.notifications}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  useEffect(() => mounted.resolve(), []);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles['toast']}>
      <div>
        <Toast.Title className={styles['title']} render={<div dir="auto" />} />
        <Toast.Description className={`note ${styles['detail']}`} />
      </div>
      <Toast.Close render={<Button look="quiet" size="small" isIcon label={texts.labels.close} />}>
        <X size={13} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}
