import { useMutation } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { Assistant, AssistantPatch } from 'conversation-analysis-client';
import { OpenParts } from '../../components/part.tsx';
import { isUnsaved, markCleared, markSaved, readForm } from '../../components/form-values.ts';
import { showToast } from '../../components/toasts.tsx';
import { assistantState, saveAssistant, type AssistantState } from '../../server/assistant.ts';
import { lazyPart } from '../../server/load-file.ts';
import { queryClient, refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { AssistantForm } from './assistant-form.tsx';
import { mergePatch, toInput, toPatch } from './assistant-input.ts';
import styles from './conflict.module.css';
import { useCreate } from './use-create.ts';

const words = texts.assistant;

const Conflict = lazyPart(() => import('./conflict.tsx'), 'Conflict');

interface EditAssistantProps {
  /** The last state that the server returned. */
  latest: AssistantState;
  isDeleted: boolean;
  /** Called if the assistant was deleted and the form has no edits. */
  onLeave: () => void;
}

const isOlder = (one: AssistantState, other: AssistantState) => one.assistant.updated_at < other.assistant.updated_at;

/** Returns the assistant as a new one begins: the secrets of the deleted one are gone. */
const withoutSecrets = (assistant: Assistant): Assistant => ({
  ...assistant,
  has_webhook_secret: false,
  alerts: assistant.alerts.map((alert) => ({ ...alert, has_secret: false })),
});

/**
 * The form of a stored assistant. A save sends only changed settings. If the assistant changes elsewhere, a form without
 * edits shows the new state, and a form with edits keeps them and shows a warning. The edits of a deleted assistant can be
 * saved as a new one.
 */
export function EditAssistant({ latest, isDeleted, onLeave }: EditAssistantProps) {
  const { id } = latest.assistant;
  const box = useRef<HTMLDivElement>(null);
  const [panels] = useState(() => new Map<string, boolean>());
  // `opened` has the initial values of the inputs. `base` is the state that the next save expects on the server.
  const [opened, setOpened] = useState(latest);
  const [base, setBase] = useState(latest);
  const [hasConflict, setConflict] = useState(false);
  /** The change of somebody else that inputs without edits do not show. */
  const [theirs, setTheirs] = useState<Assistant>();
  const [round, setRound] = useState(0);
  const open = (state: AssistantState) => {
    setRound((former) => former + 1);
    setOpened(state);
    setBase(state);
    setConflict(false);
    setTheirs(undefined);
  };
  const update = useMutation({
    mutationFn: (body: AssistantPatch) => saveAssistant(id, body, base.etag),
    onSuccess: async (saved) => {
      // A request that is still running can return the former state.
      await queryClient.cancelQueries({ queryKey: assistantState(id).queryKey });
      if (theirs) open(saved);
      else setBase(saved);
      queryClient.setQueryData(assistantState(id).queryKey, saved);
      void refresh('listAssistants', 'listAssistantVersions');
      showToast(texts.labels.saved);
    },
    // The save may have failed because someone else changed or deleted the assistant.
    onError: () => void refresh('getAssistant'),
  });
  const { reset } = update;
  useEffect(() => {
    // The change can be that of a save whose response has not arrived. After it arrived, `latest` is older for a moment.
    if (update.isPending || latest.etag === base.etag || isOlder(latest, base)) return;
    const form = box.current?.querySelector('form');
    if (!form || !isUnsaved(form)) return open(latest);
    if (Object.keys(toPatch(readForm(form), latest.assistant)).length > 0) return setConflict(true);
    // It is that of a save whose response was lost.
    markSaved(form);
    setBase(latest);
    reset();
  }, [latest, base, update.isPending, reset]);
  const create = useCreate();
  useEffect(() => {
    const form = box.current?.querySelector('form');
    // Values that are being saved do not count as edits until the save fails.
    if (isDeleted && !update.isPending && !update.isError && !(form && isUnsaved(form))) onLeave();
  }, [isDeleted, update.isPending, update.isError, onLeave]);
  useEffect(() => {
    const form = box.current?.querySelector('form');
    // Wait for this render, because a save clears the secret.
    if (form && update.data === base) markCleared(form);
  }, [update.data, base]);
  return (
    <div ref={box}>
      {isDeleted && (
        <div className={styles['conflict']} role="alert">
          <p>{words.deletedElsewhere}</p>
        </div>
      )}
      {hasConflict && !isDeleted && (
        <Suspense>
          <Conflict
            before={base.assistant}
            after={latest.assistant}
            onDiscard={() => open(latest)}
            onKeep={() => {
              update.reset();
              setBase({ assistant: base.assistant, etag: latest.etag });
              setConflict(false);
              setTheirs(latest.assistant);
            }}
          />
        </Suspense>
      )}
      <OpenParts value={panels}>
        {isDeleted ? (
          <AssistantForm
            key={round}
            assistant={withoutSecrets(opened.assistant)}
            action={words.saveAsNew}
            request={create}
            onSubmit={(values) => create.mutate({ body: toInput({ ...values, type: opened.assistant.type }) })}
          />
        ) : (
          <AssistantForm
            key={round}
            assistant={opened.assistant}
            onDiscard={() => open(base)}
            saved={base.assistant}
            action={texts.labels.save}
            // The conflict is reported above the form.
            request={hasConflict ? { ...update, error: null } : update}
            onSubmit={(values) => {
              const patch = toPatch(values, base.assistant);
              update.mutate(theirs ? mergePatch(patch, base.assistant, theirs) : patch);
            }}
          />
        )}
      </OpenParts>
    </div>
  );
}
