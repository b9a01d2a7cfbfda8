/** Tests unsaved settings on a past session: shows the estimated cost, then both results side by side. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getSessionOptions,
  listSessionsOptions,
  reanalyzeSessionMutation,
} from 'conversation-analysis-client/react-query';
import type { ReanalysisInput, SessionListItem } from 'conversation-analysis-client';
import type { Option } from '../../components/choice.tsx';
import { cutAtWord } from '../../format/cut-at-word.ts';
import { firstValue } from '../../format/metadata.ts';
import { formatShortTime } from '../../format/times.ts';
import { readOverrides } from '../../analysis-settings/read-fields.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FormButtons, SelectField } from '../../components/field.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { Status } from '../../components/status.tsx';
import { wordFailure } from '../../server/reasons.ts';
import { texts } from '../../texts/index.ts';
import { SessionComparison } from '../../conversation/session-comparison.tsx';
import { ReanalysisCost } from '../../conversation/reanalysis-cost.tsx';

const words = texts.trial;

/** Number of sessions to choose from. */
const MAX_SESSIONS = 50;

/** Refresh interval while the test runs. */
const POLL_MS = 1_000;

interface TrialDialogProps {
  /** Values of the form. */
  values: Record<string, string>;
  /** The assistant of the offered sessions; undefined for all. */
  assistantId: string | undefined;
  onClose: () => void;
}

export function TrialDialog({ values, assistantId, onClose }: TrialDialogProps) {
  const ofAssistant = assistantId === undefined ? {} : { assistant_id: assistantId };
  // A reanalysis has other settings than the assistant.
  const query = {
    status: 'completed',
    reanalysis: 'false',
    limit: MAX_SESSIONS,
    ...ofAssistant,
  } as const;
  const sessions = useQuery(listSessionsOptions({ query }));
  return (
    <Dialog isWide onClose={onClose} title={words.title}>
      <p>{words.detail}</p>
      <Loaded query={sessions}>
        {({ data }) =>
          data.length > 0 ? <Trial sessions={data} input={readOverrides(values)} /> : <EmptyState title={words.none} />
        }
      </Loaded>
    </Dialog>
  );
}

function Trial({ sessions, input }: { sessions: readonly SessionListItem[]; input: ReanalysisInput }) {
  const [sourceId, setSourceId] = useState(sessions[0]?.session_id ?? '');
  const running = useMutation(reanalyzeSessionMutation());
  const trialId = running.data && 'session_id' in running.data ? running.data.session_id : undefined;
  const run = () =>
    running.mutate({ path: { id: sourceId }, headers: { prefer: 'respond-async' }, body: { ...input, trial: true } });
  const choose = (id: string) => {
    setSourceId(id);
    running.reset();
  };
  return (
    <>
      <SelectField
        name="session"
        label={texts.kinds.sess}
        value={sourceId}
        options={sessions.map(toOption)}
        onChange={({ target }) => choose(target.value)}
      />
      {running.error && <Problem error={running.error} />}
      {trialId === undefined ? (
        <>
          <ReanalysisCost sessionId={sourceId} input={input} />
          <FormButtons>
            <Button look="primary" disabled={running.isPending} onClick={run}>
              {words.run}
            </Button>
          </FormButtons>
        </>
      ) : (
        <Outcome sourceId={sourceId} trialId={trialId} onRetry={run} />
      )}
    </>
  );
}

function Outcome({ sourceId, trialId, onRetry }: { sourceId: string; trialId: string; onRetry: () => void }) {
  const source = useQuery(getSessionOptions({ path: { id: sourceId } }));
  const trial = useQuery({
    ...getSessionOptions({ path: { id: trialId } }),
    refetchInterval: ({ state }) => (state.data?.completed_at == null ? POLL_MS : false),
  });
  // A running trial has no result yet.
  const ended = { ...trial, data: trial.data?.completed_at == null ? undefined : trial.data };
  if (trial.data && !ended.data) {
    return (
      <p role="status">
        <Status name={trial.data.status} />
      </p>
    );
  }
  return (
    <Loaded query={both(source, ended)} lines={6}>
      {([before, after]) => (
        <>
          {after.error && <p role="alert">{wordFailure(after.error)}</p>}
          <SessionComparison sessions={[before, after]} name={words.draft} />
          <FormButtons>
            <Button onClick={onRetry}>{texts.common.tryAgain}</Button>
          </FormButtons>
        </>
      )}
    </Loaded>
  );
}

const MAX_LABEL = 100;

/** Returns a session as an option: its time, an ID of its metadata and the start of its summary. */
function toOption({ session_id, created_at, summary_text, metadata }: SessionListItem): Option {
  const summary = [firstValue(metadata), summary_text ?? session_id].filter(Boolean).join(' · ');
  return { value: session_id, label: `${formatShortTime(created_at)}: ${cutAtWord(summary, MAX_LABEL)}` };
}
