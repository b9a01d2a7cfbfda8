import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { restoreAssistantVersionMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Assistant } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { say } from '../../components/toasts.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

const words = texts.versions;

export function RestoreVersion({ assistant: { id }, version }: { assistant: Assistant; version: number }) {
  const [isAsking, setAsking] = useState(false);
  const restoring = useMutation({
    ...restoreAssistantVersionMutation(),
    onSuccess: async (restored) => {
      setAsking(false);
      say(words.restored(restored.version));
      await refresh('getAssistant', 'listAssistants', 'listAssistantVersions');
    },
  });
  return (
    <>
      <Button size="small" label={words.restoreOf(version)} onClick={() => setAsking(true)}>
        {words.restore}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.restoreTitle(version)}
        detail={words.restoreDetail}
        action={words.restore}
        isBusy={restoring.isPending}
        error={restoring.error}
        onConfirm={() => restoring.mutate({ path: { id, version: String(version) } })}
      />
    </>
  );
}
