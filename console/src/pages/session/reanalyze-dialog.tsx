import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import type { ReanalysisInput, Session } from 'conversation-analysis-client';
import { reanalyzeSessionMutation } from 'conversation-analysis-client/react-query';
import { OverrideFields } from '../../analysis-settings/override-fields.tsx';
import { readOverrides } from '../../analysis-settings/read-fields.ts';
import { useDebounced } from '../../components/use-debounced.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons } from '../../components/field.tsx';
import { readForm } from '../../components/form-values.ts';
import { texts } from '../../texts/index.ts';
import { BudgetNotice } from '../../budget/budget-panel.tsx';
import { ReanalysisCost } from '../../conversation/reanalysis-cost.tsx';

const words = texts.session.reanalyze;

/** Analyzes the conversation again with other settings. Creates a new session. */
export function ReanalyzeDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const navigate = useNavigate();
  const { assistant, session_id: id } = session;
  const reanalyzing = useMutation({
    ...reanalyzeSessionMutation(),
    onSuccess: (made) =>
      'session_id' in made && navigate({ to: '/sessions/$sessionId', params: { sessionId: made.session_id } }),
  });
  const [input, setInput] = useState<ReanalysisInput>({
    system_prompt: assistant.system_prompt,
    llm_provider: assistant.llm_provider,
    llm_model: assistant.llm_model,
    temperature: assistant.temperature,
    reasoning_effort: assistant.reasoning_effort,
    max_output_tokens: assistant.max_output_tokens,
    fields: assistant.fields ?? null,
  });
  const settled = useDebounced(input);
  const follow = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    const form = currentTarget.closest('form');
    if (form) setInput(readOverrides(readForm(form)));
  };
  const submit = (values: Record<string, string>) =>
    reanalyzing.mutate({ path: { id }, headers: { prefer: 'respond-async' }, body: readOverrides(values) });
  return (
    <Dialog isWide onClose={onClose} title={words.title}>
      <p>{words.detail}</p>
      <BudgetNotice />
      <Form error={reanalyzing.error} onSubmit={submit}>
        <div onInput={follow}>
          <OverrideFields prefix="" settings={assistant} />
        </div>
        <ReanalysisCost sessionId={id} input={settled} />
        <FormButtons submit={words.submit} isDisabled={reanalyzing.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
