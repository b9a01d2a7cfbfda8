import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ComponentProps, type SyntheticEvent } from 'react';
import type { ReanalysisInput, Session } from 'conversation-analysis-client';
import { getAssistantOptions, reanalyzeSessionMutation } from 'conversation-analysis-client/react-query';
import { OverrideFields } from '../../analysis-settings/override-fields.tsx';
import { readOverrides } from '../../analysis-settings/read-fields.ts';
import { StartFromField } from '../../analysis-settings/start-from-field.tsx';
import { useDebounced } from '../../components/use-debounced.ts';
import { ANALYSIS_SETTINGS } from '../../../../contract/assistants/settings.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons } from '../../components/field.tsx';
import { Skeleton } from '../../components/page.tsx';
import { readForm } from '../../components/form-values.ts';
import { texts } from '../../texts/index.ts';
import { BudgetNotice } from '../../budget/budget-panel.tsx';
import { ReanalysisCost } from '../../conversation/reanalysis-cost.tsx';

const words = texts.session.reanalyze;

type Chosen = 'current' | 'session';

/** Analyzes the conversation again with other settings. Creates a new session. */
export function ReanalyzeDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { assistant_id: id, assistant_version: version, assistant } = session;
  const current = useQuery(getAssistantOptions({ path: { id } }));
  const [chosen, choose] = useState<Chosen>('current');
  // The form of an open dialog does not start again when the assistant changes or is deleted.
  const [opened, setOpened] = useState(current.data);
  if (!opened && current.data) setOpened(current.data);
  const settings = chosen === 'current' ? (opened ?? assistant) : assistant;
  return (
    <Dialog isWide onClose={onClose} title={words.title}>
      <p>{words.detail}</p>
      <BudgetNotice />
      {opened && opened.version !== version && (
        <StartFromField
          name="settings"
          label={texts.shell.settings}
          chosen={chosen}
          options={[
            { value: 'current', label: texts.batches.current(opened.version) },
            { value: 'session', label: words.asBefore(version) },
          ]}
          onChoose={(value) => choose(value as Chosen)}
        />
      )}
      {current.isPending ? (
        <Skeleton lines={6} />
      ) : (
        <Settings key={chosen} sessionId={session.session_id} settings={settings} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface SettingsProps {
  sessionId: string;
  settings: ComponentProps<typeof OverrideFields>['settings'];
  onClose: () => void;
}

function Settings({ sessionId: id, settings, onClose }: SettingsProps) {
  const navigate = useNavigate();
  const reanalyzing = useMutation({
    ...reanalyzeSessionMutation(),
    onSuccess: (made) =>
      'session_id' in made && navigate({ to: '/sessions/$sessionId', params: { sessionId: made.session_id } }),
  });
  const [input, setInput] = useState<ReanalysisInput>(() =>
    Object.fromEntries(ANALYSIS_SETTINGS.map((name) => [name, settings[name] ?? null])),
  );
  const settled = useDebounced(input);
  const follow = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    const form = currentTarget.closest('form');
    if (form) setInput(readOverrides(readForm(form)));
  };
  const submit = (values: Record<string, string>) =>
    reanalyzing.mutate({ path: { id }, headers: { prefer: 'respond-async' }, body: readOverrides(values) });
  return (
    <Form error={reanalyzing.error} onSubmit={submit}>
      <div onInput={follow}>
        <OverrideFields prefix="" settings={settings} />
      </div>
      <ReanalysisCost sessionId={id} input={settled} />
      <FormButtons submit={words.submit} isDisabled={reanalyzing.isPending} onCancel={onClose} />
    </Form>
  );
}
