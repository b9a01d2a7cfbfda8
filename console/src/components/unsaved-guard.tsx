import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
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
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title={texts.common.discardTitle}
      detail={texts.common.discardDetail}
      action={texts.common.discard}
      closeLabel={texts.common.keepEditing}
      isDanger
      onConfirm={() => proceed?.()}
    />
  );
}
