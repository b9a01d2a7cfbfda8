import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LLM_PROVIDERS } from '../../../../contract/constants.ts';
import type { LlmProviderName } from '../../../../contract/constants.ts';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import { reanalyzeSessionMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.session.reanalyze;

/** The same conversation once more, with another prompt or model; the result is a session of its own. */
export function ReanalyzeDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const navigate = useNavigate();
  const { assistant, session_id: id } = session;
  const reanalyzing = useMutation({
    ...reanalyzeSessionMutation(),
    onSuccess: ({ session_id: sessionId }) => navigate({ to: '/sessions/$sessionId', params: { sessionId } }),
  });
  const submit = (values: Record<string, string>) =>
    reanalyzing.mutate({
      path: { id },
      headers: { prefer: 'respond-async' },
      body: {
        system_prompt: values['system_prompt'],
        llm_provider: values['llm_provider'] as LlmProviderName,
        ...(values['llm_model'] && { llm_model: values['llm_model'] }),
        temperature: Number(values['temperature']),
      },
    });
  return (
    <Dialog isOpen isWide onClose={onClose} title={words.title}>
      <p>{words.detail}</p>
      <Form error={reanalyzing.error} onSubmit={submit}>
        <TextAreaField
          name="system_prompt"
          label={words.prompt}
          defaultValue={assistant.system_prompt}
          rows={8}
          required
        />
        <SelectField
          name="llm_provider"
          label={words.provider}
          defaultValue={assistant.llm_provider}
          options={LLM_PROVIDERS.map((name) => ({ value: name, label: texts.providers[name] }))}
        />
        <TextField
          name="llm_model"
          label={words.model}
          hint={words.modelHint}
          isOptional
          defaultValue={assistant.llm_model}
        />
        <TextField
          name="temperature"
          label={words.temperature}
          type="number"
          min={0}
          max={1}
          step={0.1}
          defaultValue={assistant.temperature}
        />
        <FormButtons>
          <Button type="submit" look="primary" disabled={reanalyzing.isPending}>
            {words.submit}
          </Button>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}
