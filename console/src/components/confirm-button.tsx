import { useMutation } from '@tanstack/react-query';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { useKeys } from './use-keys.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import { ConfirmDialog } from './dialog.tsx';
import { May } from './may.tsx';
import { showFailure } from './toasts.tsx';

interface ConfirmButtonProps extends ComponentProps<typeof Button> {
  title: string;
  detail: ReactNode;
  /** The label of the dialog's button, a verb. The button on the page has the same label unless it has children. */
  action: string;
  isDanger?: boolean;
  /** Default: "Cancel". */
  closeLabel?: string;
  /** A key that opens the dialog. With a shortcut, a click runs the action without confirmation. */
  shortcut?: string;
  run: () => Promise<unknown>;
}

/** A button that asks for confirmation. The dialog closes after a success and shows errors. */
export const ConfirmButton = ({ scope, ...props }: ConfirmButtonProps) =>
  scope ? (
    <May scope={scope}>
      <Confirm {...props} />
    </May>
  ) : (
    <Confirm {...props} />
  );

function Confirm({ title, detail, action, shortcut, run, ...props }: ConfirmButtonProps) {
  const { isDanger = false, closeLabel = texts.labels.cancel, ...button } = props;
  const [isAsking, setAsking] = useState(false);
  const { mutate, reset, isPending, error } = useMutation({ mutationFn: run });
  const ask = () => {
    reset();
    setAsking(true);
  };
  const act = () =>
    mutate(undefined, { onSuccess: () => setAsking(false), onError: (failure) => isAsking || showFailure(failure) });
  useKeys((key) => {
    if (key === shortcut) ask();
    return key === shortcut;
  });
  return (
    <>
      <Button
        aria-keyshortcuts={shortcut}
        data-danger={isDanger || undefined}
        disabled={isPending && !isAsking}
        onClick={shortcut === undefined ? ask : act}
        {...button}
      >
        {button.children ?? action}
      </Button>
      <ConfirmDialog
        {...{ title, detail, action, isDanger, closeLabel, error }}
        isOpen={isAsking}
        isBusy={isPending}
        onClose={() => setAsking(false)}
        onConfirm={act}
      />
    </>
  );
}
