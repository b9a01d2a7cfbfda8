import { useBlocker } from '@tanstack/react-router';
import type { ComponentProps, RefObject } from 'react';
import { texts } from '../texts/index.ts';
import { ConfirmDialog } from './dialog.tsx';
import { isUnsaved } from './form-values.ts';

/** Asks for confirmation before navigation discards unsaved text. Before a reload, the browser asks. */
export function UnsavedGuard({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const isDirty = () => form.current !== null && isUnsaved(form.current);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isDirty(),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return <DiscardDialog isOpen={status === 'blocked'} onClose={() => reset?.()} onConfirm={() => proceed?.()} />;
}

type DiscardDialogProps = Pick<ComponentProps<typeof ConfirmDialog>, 'isOpen' | 'onClose' | 'onConfirm'>;

export const DiscardDialog = (props: DiscardDialogProps) => (
  <ConfirmDialog
    title={texts.labels.discardTitle}
    detail={texts.labels.discardDetail}
    action={texts.labels.discard}
    closeLabel={texts.labels.keepEditing}
    isDanger
    {...props}
  />
);
