import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Assistant, AssistantPatch } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Diff } from '../../components/diff.tsx';
import { Facts } from '../../components/facts.tsx';
import { FormButtons } from '../../components/field.tsx';
import { isUnsaved, markSaved } from '../../components/form-values.ts';
import { showToast } from '../../components/toasts.tsx';
import { assistantState, saveAssistant } from '../../server/assistant.ts';
import type { AssistantState } from '../../server/assistant.ts';
import { queryClient, refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { AssistantForm } from './assistant-form.tsx';
import { hideSecrets, toPatch } from './assistant-input.ts';
import { printSetting, SETTINGS } from '../versions/settings.ts';
import styles from './edit-assistant.module.css';

const words = texts.assistant;

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
  const open = (state: AssistantState) => {
    setOpened(state);
    setBase(state);
    setConflict(false);
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
      setBase(saved);
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
    if (form && update.data === base) markSaved(form);
  }, [update.data, base]);
  return (
    <div ref={box}>
      {hasConflict && (
        <Conflict
          before={base.assistant}
          after={latest.assistant}
          onDiscard={() => open(latest)}
          onKeep={() => {
            setBase({ assistant: base.assistant, etag: latest.etag });
            setConflict(false);
          }}
        />
      )}
      <AssistantForm
        key={opened.etag}
        assistant={opened.assistant}
        saved={base.assistant}
        action={texts.common.save}
        // The conflict is reported above the form.
        request={hasConflict ? { ...update, error: null } : update}
        toCall={(values) => ({
          method: 'PATCH',
          path: `/v1/assistants/${id}`,
          body: hideSecrets(toPatch(values, base.assistant)),
        })}
        onSubmit={(values) => update.mutate(toPatch(values, base.assistant))}
      />
    </div>
  );
}

interface ConflictProps {
  before: Assistant;
  after: Assistant;
  onDiscard: () => void;
  onKeep: () => void;
}

function Conflict({ before, after, onDiscard, onKeep }: ConflictProps) {
  const labels: Record<string, string> = { ...texts.versions.settings, ...words.unversioned };
  const changed = Object.entries(after).flatMap(([name, value]: [string, unknown]) => {
    const label = labels[name];
    return label === undefined || JSON.stringify(value) === JSON.stringify(before[name as keyof Assistant])
      ? []
      : [{ name, label }];
  });
  return (
    <div className={styles['conflict']} role="alert">
      <p>{words.changedElsewhere(changed.map(({ label }) => label).join(', '))}</p>
      <Facts facts={changed.map(({ name, label }) => [label, <Change {...{ name, label, before, after }} />])} />
      <FormButtons>
        <Button onClick={onKeep}>{words.keepEdits}</Button>
        <Button onClick={onDiscard}>{words.discardEdits}</Button>
      </FormButtons>
    </div>
  );
}

/** What someone else has changed. */
function Change({ name, label, before, after }: { name: string; label: string; before: Assistant; after: Assistant }) {
  if (name === 'system_prompt') return <Diff label={label} before={before.system_prompt} after={after.system_prompt} />;
  const print = (assistant: Assistant) => {
    const value = SETTINGS.some((each) => each === name)
      ? printSetting(name as (typeof SETTINGS)[number], assistant)
      : assistant[name as keyof Assistant];
    return value == null ? texts.common.none : typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return `${print(before)} → ${print(after)}`;
}
