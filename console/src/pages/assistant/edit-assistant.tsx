import { useMutation } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { AssistantPatch } from 'conversation-analysis-client';
import { isUnsaved, markCleared } from '../../components/form-values.ts';
import { showToast } from '../../components/toasts.tsx';
import { assistantState, saveAssistant, type AssistantState } from '../../server/assistant.ts';
import { lazyPart } from '../../server/load-file.ts';
import { queryClient, refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { AssistantForm } from './assistant-form.tsx';
import { toPatch } from './assistant-input.ts';

const Conflict = lazyPart(() => import('./conflict.tsx'), 'Conflict');

/**
 * The form of a stored assistant. A save sends only changed settings. If the assistant changes elsewhere, a form without
 * edits shows the new state, and a form with edits keeps them and shows a warning.
 * @param latest the last state that the server returned.
 */
export function EditAssistant({ latest }: { latest: AssistantState }) {
  const { id } = latest.assistant;
  const box = useRef<HTMLDivElement>(null);
  // `opened` has the initial values of the inputs. `base` is the state that the next save expects on the server.
  const [opened, setOpened] = useState(latest);
  const [base, setBase] = useState(latest);
  const [hasConflict, setConflict] = useState(false);
  /** Inputs without edits are older than `base`. */
  const [isOutdated, setOutdated] = useState(false);
  const open = (state: AssistantState) => {
    setOpened(state);
    setBase(state);
    setConflict(false);
    setOutdated(false);
  };
  useEffect(() => {
    if (latest.etag === base.etag) return;
    const form = box.current?.querySelector('form');
    if (form && isUnsaved(form)) setConflict(true);
    else open(latest);
  }, [latest, base]);
  const update = useMutation({
    mutationFn: (body: AssistantPatch) => saveAssistant(id, body, base.etag),
    onSuccess: (saved) => {
      if (isOutdated) open(saved);
      else setBase(saved);
      queryClient.setQueryData(assistantState(id).queryKey, saved);
      void refresh('listAssistants', 'listAssistantVersions');
      showToast(texts.common.saved);
    },
    // The save may have failed because someone else changed the assistant.
    onError: () => refresh('getAssistant'),
  });
  useEffect(() => {
    const form = box.current?.querySelector('form');
    // Wait for this render, because a save clears the secret.
    if (form && update.data === base) markCleared(form);
  }, [update.data, base]);
  return (
    <div ref={box}>
      {hasConflict && (
        <Suspense>
          <Conflict
            before={base.assistant}
            after={latest.assistant}
            onDiscard={() => open(latest)}
            onKeep={() => {
              update.reset();
              setBase({ assistant: base.assistant, etag: latest.etag });
              setConflict(false);
              setOutdated(true);
            }}
          />
        </Suspense>
      )}
      <AssistantForm
        key={opened.etag}
        assistant={opened.assistant}
        saved={base.assistant}
        action={texts.common.save}
        // The conflict is reported above the form.
        request={hasConflict ? { ...update, error: null } : update}
        onSubmit={(values) => update.mutate(toPatch(values, base.assistant))}
      />
    </div>
  );
}
