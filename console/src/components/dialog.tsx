/** Dialogs. Most pages are left without one, so what they are made of is not a part of any page. */
import { lazy, Suspense, useState } from 'react';
import type { ComponentType } from 'react';
import type { ConfirmDialogProps, DialogProps } from './open-dialog.tsx';

const load = () => import('./overlays.ts');

/** Asks before something that cannot be taken back. */
export const ConfirmDialog = whenOpened<ConfirmDialogProps>(
  lazy(async () => ({ default: (await load()).ConfirmDialog })),
);

export const Dialog = whenOpened<DialogProps>(lazy(async () => ({ default: (await load()).Dialog })));

/** Returns the dialog, not drawn before it is opened for the first time; it stays while it closes. */
function whenOpened<Props extends { isOpen: boolean }>(Opened: ComponentType<Props>) {
  return function OnceOpened(props: Props) {
    const [wasOpened, setWasOpened] = useState(props.isOpen);
    if (props.isOpen && !wasOpened) setWasOpened(true);
    return (
      wasOpened && (
        <Suspense>
          <Opened {...props} />
        </Suspense>
      )
    );
  };
}
