/** Gives an assistant the settings that a batch has tested. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { getAssistantVersionOptions } from 'conversation-analysis-client/react-query';
import type { Batch } from 'conversation-analysis-client';
import { changesOf, namesOf } from '../../analysis-settings/changed-settings.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { May } from '../../components/may.tsx';
import { showToast } from '../../components/toasts.tsx';
import { assistantState, restoreVersion, saveAssistant, type AssistantState } from '../../server/assistant.ts';
import { toFailure } from '../../server/problem.ts';
import { queryClient, refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import styles from './batch.module.css';

const words = texts.experiment;

interface UseSettingsProps {
  batch: Batch;
  /** Titles of the fields that are worse. */
  worse: readonly string[];
  /** Whether something is better and nothing is worse. */
  isBetter: boolean;
}

export function UseSettings(props: UseSettingsProps) {
  const { assistant_version, overrides, filter } = props.batch;
  const id = filter['assistant_id'];
  if (typeof id !== 'string' || (assistant_version ?? overrides) === null) return null;
  return (
    <May scope="assistants:write">
      <Usable id={id} {...props} />
    </May>
  );
}

function Usable({ id, ...props }: UseSettingsProps & { id: string }) {
  const { data } = useQuery(assistantState(id));
  const [isOpen, setOpen] = useState(false);
  if (!data) return null;
  if (props.batch.differs?.length === 0) return <span className="note">{words.inUse}</span>;
  return (
    <>
      <Button look={props.isBetter ? 'primary' : 'plain'} onClick={() => setOpen(true)}>
        {words.use}
      </Button>
      {isOpen && <UseDialog state={data} onClose={() => setOpen(false)} {...props} />}
    </>
  );
}

interface UseDialogProps extends UseSettingsProps {
  /** The state of the assistant that the dialog describes, and that the change expects. */
  state: AssistantState;
  onClose: () => void;
}

function UseDialog({ batch, worse, state, onClose }: UseDialogProps) {
  const { assistant_version, created_at } = batch;
  const { id, version } = state.assistant;
  const changes = changesOf(state.assistant, batch.overrides ?? {});
  const current = useQuery(getAssistantVersionOptions({ path: { id, version: String(version) } }));
  const hasChanged = current.data !== undefined && current.data.created_at > created_at;
  const use = useMutation({
    mutationFn: () =>
      assistant_version === null
        ? saveAssistant(id, changes, state.etag)
        : restoreVersion(id, assistant_version, state.etag),
    onSuccess: (saved) => {
      queryClient.setQueryData(assistantState(id).queryKey, saved);
      void refresh('listAssistants', 'listAssistantVersions', 'getBatch', 'listBatches');
      showToast(texts.versions.restored(saved.assistant.version));
      onClose();
    },
    // Somebody else may have changed the assistant.
    onError: () => refresh('getAssistant'),
  });
  const isOutdated = use.error !== null && toFailure(use.error).status === 412;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.useTitle}
      detail={
        <div className="stack">
          <p>
            {assistant_version === null ? words.useOverrides(namesOf(changes)) : words.useVersion(assistant_version)}
          </p>
          {worse.length > 0 && <p className={styles['warning']}>{words.worse(worse.join(', '))}</p>}
          {hasChanged && (
            <p className={styles['warning']}>
              {words.changed(version)}{' '}
              <Link to="/assistants/$assistantId/versions" params={{ assistantId: id }} search={{ version }}>
                {words.changes}
              </Link>
            </p>
          )}
          {isOutdated && <p role="alert">{words.again}</p>}
        </div>
      }
      action={words.use}
      isBusy={use.isPending || current.isPending}
      error={isOutdated ? undefined : (use.error ?? current.error)}
      onConfirm={() => use.mutate()}
    />
  );
}
