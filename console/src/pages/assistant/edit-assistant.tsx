import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Assistant, AssistantPatch } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { FormButtons } from '../../components/field.tsx';
import { isUnsaved, markSaved } from '../../components/form-values.ts';
import { showToast } from '../../components/toasts.tsx';
import { assistantState, saveAssistant, type AssistantState } from '../../server/assistant.ts';
import { queryClient, refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { AssistantForm } from './assistant-form.tsx';
import { toPatch } from './assistant-input.ts';
import { settingRows, settingsOf } from '../versions/settings.tsx';
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

const UNVERSIONED = Object.keys(words.unversioned) as (keyof typeof words.unversioned)[];

const print = (value: Assistant[keyof typeof words.unversioned]) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** Shows what someone else has changed. */
function Conflict({ before, after, onDiscard, onKeep }: ConflictProps) {
  const rows = [
    ...UNVERSIONED.map((name) => {
      const cells = [print(before[name]), print(after[name])];
      return { key: name, title: words.unversioned[name], cells, isDifferent: cells[0] !== cells[1] };
    }),
    ...settingRows(before, after, settingsOf(after.type)),
  ].filter(({ isDifferent }) => isDifferent);
  const changed = words.changedElsewhere(rows.map(({ title }) => title).join(', '));
  return (
    <div className={styles['conflict']} role="alert">
      <p>{changed}</p>
      <Comparison caption={changed} heads={texts.compare.heads} rows={rows} />
      <FormButtons>
        <Button onClick={onKeep}>{words.keepEdits}</Button>
        <Button onClick={onDiscard}>{words.discardEdits}</Button>
      </FormButtons>
    </div>
  );
}
