/** Settings that are not saved, tried on a past session: what they would cost, and what comes of them beside what there is. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  getSessionOptions,
  listSessionsOptions,
  reanalyzeSessionMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { ReanalysisInput, SessionListItem } from '../../../../clients/typescript/src/index.ts';
import { readOverrides } from '../../analysis-settings/read-overrides.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FormButtons, SelectField } from '../../components/field.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { texts } from '../../texts/index.ts';
import { CompareTable } from '../compare/compare-table.tsx';
import { ReanalysisCost } from '../session/reanalysis-cost.tsx';

const words = texts.trial;

/** Past sessions to choose from. */
const CHOICES = 50;

/** While the trial is under way. */
const POLL_MS = 1_000;

interface TrialDialogProps {
  /** The texts of the form. */
  values: Record<string, string>;
  /** Whose sessions are offered; undefined: all. */
  assistantId: string | undefined;
  onClose: () => void;
}

export function TrialDialog({ values, assistantId, onClose }: TrialDialogProps) {
  const query = {
    status: 'completed' as const,
    limit: CHOICES,
    ...(assistantId !== undefined && { assistant_id: assistantId }),
  };
  const { data, error, refetch } = useQuery(listSessionsOptions({ query }));
  return (
    <Dialog isOpen isWide onClose={onClose} title={words.title}>
      <p>{words.detail}</p>
      {error && !data && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      {data?.data.length === 0 && <EmptyState title={words.none} detail={words.noneWhy} />}
      {data?.data[0] && <Trial sessions={data.data} first={data.data[0]} input={readOverrides(values)} />}
    </Dialog>
  );
}

interface TrialProps {
  sessions: readonly SessionListItem[];
  first: SessionListItem;
  input: ReanalysisInput;
}

function Trial({ sessions, first, input }: TrialProps) {
  const [sourceId, setSourceId] = useState(first.session_id);
  const trying = useMutation(reanalyzeSessionMutation());
  const made = trying.data && 'session_id' in trying.data ? trying.data.session_id : undefined;
  const choose = (id: string) => {
    setSourceId(id);
    trying.reset();
  };
  return (
    <>
      <SelectField
        name="session"
        label={words.session}
        value={sourceId}
        options={sessions.map(({ session_id, created_at, summary_text }) => ({
          value: session_id,
          label: texts.compare.named(
            created_at.slice(0, 16).replace('T', ' '),
            summary_text?.slice(0, 60) ?? session_id,
          ),
        }))}
        onChange={({ target }) => choose(target.value)}
      />
      <ReanalysisCost sessionId={sourceId} input={input} />
      {trying.error && <Problem error={trying.error} />}
      {made === undefined ? (
        <FormButtons>
          <Button
            look="primary"
            disabled={trying.isPending}
            onClick={() =>
              trying.mutate({
                path: { id: sourceId },
                headers: { prefer: 'respond-async' },
                body: { ...input, trial: true },
              })
            }
          >
            {words.run}
          </Button>
        </FormButtons>
      ) : (
        <Outcome sourceId={sourceId} trialId={made} />
      )}
    </>
  );
}

function Outcome({ sourceId, trialId }: { sourceId: string; trialId: string }) {
  const source = useQuery(getSessionOptions({ path: { id: sourceId } }));
  const trial = useQuery({
    ...getSessionOptions({ path: { id: trialId } }),
    refetchInterval: ({ state }) => (state.data?.completed_at == null ? POLL_MS : false),
  });
  const error = source.error ?? trial.error;
  if (error) return <Problem error={error} />;
  if (!source.data || trial.data?.completed_at == null) return <Skeleton lines={6} />;
  return (
    <>
      {trial.data.error && <p role="alert">{trial.data.error.message}</p>}
      <CompareTable sessions={[source.data, trial.data]} names={[words.source, words.tried]} />
      <Link to="/sessions/$sessionId/compare" params={{ sessionId: sourceId }} search={{ with: trialId }}>
        {words.open}
      </Link>
    </>
  );
}
