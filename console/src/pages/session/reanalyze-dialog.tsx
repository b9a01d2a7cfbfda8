import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { SyntheticEvent } from 'react';
import { LLM_PROVIDERS } from '../../../../contract/constants.ts';
import type { LlmProviderName } from '../../../../contract/constants.ts';
import type { ReanalysisInput, Session } from '../../../../clients/typescript/src/index.ts';
import { reanalyzeSessionMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Fields, Form, FormButtons, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import { ReanalysisCost } from './reanalysis-cost.tsx';

const words = texts.session.reanalyze;

/** The cost is asked for when one stops typing. */
const TYPED_MS = 500;

function toInput(values: Record<string, string>): ReanalysisInput {
  return {
    // The API refuses an empty prompt, and so does the form.
    ...(values['system_prompt'] && { system_prompt: values['system_prompt'] }),
    llm_provider: values['llm_provider'] as LlmProviderName,
    ...(values['llm_model'] && { llm_model: values['llm_model'] }),
    temperature: Number(values['temperature']),
  };
}

/** The same conversation once more, with another prompt or model; the result is a session of its own. */
export function ReanalyzeDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const navigate = useNavigate();
  const { assistant, session_id: id } = session;
  const reanalyzing = useMutation({
    ...reanalyzeSessionMutation(),
    onSuccess: (made) =>
      'session_id' in made && navigate({ to: '/sessions/$sessionId', params: { sessionId: made.session_id } }),
  });
  const [input, setInput] = useState<ReanalysisInput>({
    ...{ system_prompt: assistant.system_prompt, llm_provider: assistant.llm_provider },
    ...{ llm_model: assistant.llm_model, temperature: assistant.temperature },
  });
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(typing.current), []);
  const estimateSoon = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    clearTimeout(typing.current);
    const form = currentTarget.closest('form');
    const read = () => form && setInput(toInput(Object.fromEntries(new FormData(form)) as Record<string, string>));
    typing.current = setTimeout(read, TYPED_MS);
  };
  const submit = (values: Record<string, string>) =>
    reanalyzing.mutate({
      path: { id },
      headers: { prefer: 'respond-async' },
      body: toInput(values),
    });
  return (
    <Dialog isOpen isWide onClose={onClose} title={words.title}>
      <p>{words.detail}</p>
      <Form error={reanalyzing.error} onSubmit={submit}>
        <Fields onInput={estimateSoon}>
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
        </Fields>
        <ReanalysisCost sessionId={id} input={input} />
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
