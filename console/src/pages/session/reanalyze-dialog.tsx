import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReanalysisInput, Session } from 'conversation-analysis-client';
import { getAssistantOptions, reanalyzeSessionMutation } from 'conversation-analysis-client/react-query';
import { ANALYSIS_SETTINGS } from '../../../../contract/assistants/settings.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, SelectField } from '../../components/field.tsx';
import { Skeleton } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';
import { BudgetNotice } from '../../budget/budget-panel.tsx';
import { ReanalysisCost } from '../../conversation/reanalysis-cost.tsx';

const words = texts.session.reanalyze;

/** Analyzes the conversation again, with the current settings or those of the session. Creates a new session. */
export function ReanalyzeDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { session_id: id, assistant_version: version, assistant } = session;
  const { data: current, isPending } = useQuery(getAssistantOptions({ path: { id: session.assistant_id } }));
  const [isAsBefore, setAsBefore] = useState(false);
  const navigate = useNavigate();
  const reanalyzing = useMutation({
    ...reanalyzeSessionMutation(),
    onSuccess: (made) =>
      'session_id' in made && navigate({ to: '/sessions/$sessionId', params: { sessionId: made.session_id } }),
  });
  // A deleted assistant has no current settings.
  const input: ReanalysisInput =
    current && !isAsBefore ? {} : Object.fromEntries(ANALYSIS_SETTINGS.map((name) => [name, assistant[name] ?? null]));
  const submit = () => reanalyzing.mutate({ path: { id }, headers: { prefer: 'respond-async' }, body: input });
  return (
    <Dialog onClose={onClose} title={words.title}>
      <p>{words.detail}</p>
      <BudgetNotice />
      {isPending ? (
        <Skeleton lines={3} />
      ) : (
        <Form error={reanalyzing.error} isGuarded={false} onSubmit={submit}>
          {current?.version === version && <p>{`${texts.shell.settings}: ${texts.batches.current(version)}`}</p>}
          {current && current.version !== version && (
            <SelectField
              name="settings"
              label={texts.shell.settings}
              options={[
                { value: 'current', label: texts.batches.current(current.version) },
                { value: 'session', label: words.asBefore(version) },
              ]}
              onChange={({ target }) => setAsBefore(target.value === 'session')}
            />
          )}
          <ReanalysisCost sessionId={id} input={input} />
          <FormButtons submit={texts.session.actions.reanalyze} isDisabled={reanalyzing.isPending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}
