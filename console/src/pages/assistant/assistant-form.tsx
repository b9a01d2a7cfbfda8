import { useState } from 'react';
import type { Assistant } from '../../../../clients/typescript/src/index.ts';
import {
  ASSISTANT_TYPES,
  AUTO_DETECT,
  LLM_PROVIDERS,
  OUTAGE_CHOICES,
  STT_PROVIDERS,
} from '../../../../contract/constants.ts';
import { STT_PROVIDER_FACTS } from '../../../../contract/providers.ts';
import { FieldsEditor } from '../../analysis-settings/fields-editor.tsx';
import { ModelFields } from '../../analysis-settings/model-fields.tsx';
import { Button } from '../../components/button.tsx';
import { CopyFormCurl } from '../../components/copy-curl.tsx';
import type { Call } from '../../components/copy-curl.tsx';
import { Fields, Form, FormButtons, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Panel } from '../../components/page.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { Trial } from './trial.tsx';

interface AssistantFormProps {
  /** Left out for a new one. */
  assistant?: Assistant;
  action: string;
  error: unknown;
  isBusy: boolean;
  /** Returns the call that sending the form makes. */
  toCall: (values: Record<string, string>) => Call;
  onSubmit: (values: Record<string, string>) => void;
}

const MAX_PROMPT = 100_000;

/** Providers that transcribe channels apart. */
const BY_CHANNEL = STT_PROVIDERS.filter((name) => STT_PROVIDER_FACTS[name].max_channels > 1)
  .map((name) => texts.providers[name])
  .join(', ');

export function AssistantForm({ assistant, action, error, isBusy, toCall, onSubmit }: AssistantFormProps) {
  const [type, setType] = useState<string>(assistant?.type ?? 'text');
  const t = texts.assistant;
  return (
    <Form error={error} onSubmit={onSubmit}>
      <Panel title={t.basics}>
        <Fields>
          <TextField name="name" label={t.name} defaultValue={assistant?.name} required maxLength={200} />
          <TextField
            name="description"
            label={t.description}
            defaultValue={assistant?.description ?? ''}
            isOptional
            maxLength={2_000}
          />
          <TextField
            name="retention_days"
            label={t.retention}
            hint={t.retentionHint}
            type="number"
            min={1}
            max={36_500}
            step={1}
            isOptional
            defaultValue={assistant?.retention_days ?? ''}
          />
          {!assistant && (
            <SelectField
              name="type"
              label={t.type}
              hint={t.typeHint}
              value={type}
              options={ASSISTANT_TYPES.map((value) => ({ value, label: texts.sessions.types[value] }))}
              onChange={({ target }) => setType(target.value)}
            />
          )}
        </Fields>
      </Panel>
      {type === 'voice' && <Transcription assistant={assistant} />}
      <Analysis assistant={assistant} />
      <FieldsEditor fields={assistant?.fields ?? []} />
      <Outage assistant={assistant} isVoice={type === 'voice'} />
      <Webhook assistant={assistant} />
      <FormButtons>
        <Button type="submit" look="primary" disabled={isBusy}>
          {action}
        </Button>
        <CopyFormCurl toCall={toCall} />
        <Trial assistant={assistant} />
      </FormButtons>
    </Form>
  );
}

function Transcription({ assistant }: { assistant: Assistant | undefined }) {
  const t = texts.assistant;
  return (
    <Panel title={t.transcription}>
      <Fields>
        <ModelFields
          prefix="stt"
          labels={{ provider: t.sttProvider, model: t.sttModel }}
          names={STT_PROVIDERS}
          initial={{ provider: assistant?.stt_provider ?? 'whisper', model: assistant?.stt_model ?? '' }}
        />
        <TextField
          name="stt_language"
          label={t.sttLanguage}
          hint={t.languageHint}
          defaultValue={assistant?.stt_language ?? AUTO_DETECT}
        />
        <TextField
          name="channel_roles"
          label={t.channels}
          hint={t.channelsHint(BY_CHANNEL)}
          isOptional
          maxLength={400}
          defaultValue={assistant?.channel_roles?.join(', ') ?? ''}
        />
      </Fields>
    </Panel>
  );
}

function Analysis({ assistant }: { assistant: Assistant | undefined }) {
  const [length, setLength] = useState(assistant?.system_prompt.length ?? 0);
  const t = texts.assistant;
  return (
    <Panel title={t.analysis}>
      <Fields>
        <TextAreaField
          name="system_prompt"
          label={t.systemPrompt}
          hint={t.promptHint(formatNumber(length), formatNumber(MAX_PROMPT))}
          defaultValue={assistant?.system_prompt}
          required
          maxLength={MAX_PROMPT}
          rows={8}
          onInput={({ currentTarget }) => setLength(currentTarget.value.length)}
        />
        <ModelFields
          prefix="llm"
          labels={{ provider: t.llmProvider, model: t.llmModel }}
          names={LLM_PROVIDERS}
          initial={{ provider: assistant?.llm_provider ?? 'openai', model: assistant?.llm_model ?? '' }}
        />
        <TextField
          name="temperature"
          label={t.temperature}
          hint={t.temperatureHint}
          type="number"
          min={0}
          max={1}
          step={0.05}
          required
          defaultValue={assistant?.temperature ?? 0.7}
        />
      </Fields>
    </Panel>
  );
}

function Outage({ assistant, isVoice }: { assistant: Assistant | undefined; isVoice: boolean }) {
  const t = texts.assistant;
  const { llm_provider, llm_model, stt_provider, stt_model } = assistant?.fallback ?? {};
  return (
    <Panel title={t.outage}>
      <Fields>
        <SelectField
          name="on_vendor_outage"
          label={t.onOutage}
          hint={t.onOutageHint}
          defaultValue={assistant?.on_vendor_outage ?? 'fail'}
          options={OUTAGE_CHOICES.map((value) => ({ value, label: t.outageChoices[value] }))}
        />
        <ModelFields
          prefix="fallback.llm"
          labels={t.fallback.llm}
          names={LLM_PROVIDERS}
          initial={{ provider: llm_provider ?? '', model: llm_model ?? '' }}
          isOptional
        />
        {isVoice && (
          <ModelFields
            prefix="fallback.stt"
            labels={t.fallback.stt}
            names={STT_PROVIDERS}
            initial={{ provider: stt_provider ?? '', model: stt_model ?? '' }}
            isOptional
          />
        )}
      </Fields>
    </Panel>
  );
}

function Webhook({ assistant }: { assistant: Assistant | undefined }) {
  const t = texts.assistant;
  return (
    <Panel title={texts.assistants.webhook}>
      <Fields>
        <TextField
          name="webhook_url"
          label={t.webhookUrl}
          hint={t.webhookHint}
          type="url"
          isOptional
          maxLength={2_048}
          defaultValue={assistant?.webhook_url ?? ''}
        />
        <TextField
          name="webhook_secret"
          label={t.webhookSecret}
          hint={assistant?.has_webhook_secret ? t.secretKept : t.secretHint}
          type="password"
          autoComplete="off"
          isOptional
          maxLength={512}
        />
      </Fields>
    </Panel>
  );
}
