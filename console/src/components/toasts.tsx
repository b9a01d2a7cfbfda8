import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './toasts.module.css';

const manager = Toast.createToastManager();

/** Says shortly that something was done. */
export function say(title: string): void {
  manager.add({ title });
}

/** Says why something was not done; for actions that have no place of their own for it. */
export function sayFailure(error: unknown): void {
  const { kind, title, detail } = toFailure(error);
  const isAway = kind === 'away';
  manager.add({
    title: isAway ? texts.problem.away : title,
    description: isAway ? texts.problem.awayDetail : detail,
    priority: 'high',
    timeout: 10_000,
  });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles['viewport']}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles['toast']}>
      <div>
        <Toast.Title className={styles['title']} render={<div />} />
        <Toast.Description className={styles['detail']} />
      </div>
      <Toast.Close render={<Button look="quiet" size="small" isIcon label={texts.common.close} />}>
        <X size={13} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}
