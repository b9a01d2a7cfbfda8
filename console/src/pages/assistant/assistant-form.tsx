import { Suspense, useState, type ReactNode } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import {
  ASSISTANT_TYPES,
  OUTAGE_CHOICES,
  SESSION_EVENTS,
  WEBHOOK_AUTHS,
} from '../../../../contract/values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDER_FACTS, STT_PROVIDERS } from '../../../../contract/values/providers.ts';
import { FieldsEditor } from '../../analysis-settings/fields-editor.tsx';
import { ModelFields } from '../../analysis-settings/model-fields.tsx';
import { ReasoningFields } from '../../analysis-settings/reasoning-fields.tsx';
import { Button } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { Fields, Form, FormButtons, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { May } from '../../components/may.tsx';
import { Panel } from '../../components/page.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { wordRole } from '../../format/roles.ts';
import { useMay } from '../../server/membership.ts';
import { Receiver } from '../../deliveries/receiver.tsx';
import { titlesOf } from '../../fields/field-title.tsx';
import { PROVIDER_NAMES } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import { AlertsEditor } from './alerts-editor.tsx';
import styles from './edit-assistant.module.css';
import { withoutAutoDetect } from './assistant-input.ts';
import { RedactionFields } from './redaction-fields.tsx';
import { TestReviewed, Trial } from './trial.tsx';

interface AssistantFormProps {
  /** Omitted for a new assistant. */
  assistant?: Assistant;
  /** What a new assistant starts with. */
  template?: Pick<Assistant, 'name' | 'system_prompt' | 'fields'> | undefined;
  /** The assistant as it was last saved, if it was saved since the form opened. */
  saved?: Assistant;
  action: string;
  /** The request that submits the form. */
  request: { error: unknown; isPending: boolean };
  onSubmit: (values: Record<string, string>) => void;
}

const words = texts.assistant;

const MAX_PROMPT = 100_000;

/** The providers that transcribe channels separately. */
const CHANNEL_PROVIDERS = STT_PROVIDERS.filter((name) => STT_PROVIDER_FACTS[name].max_channels > 1)
  .map((name) => PROVIDER_NAMES[name])
  .join(', ');

export function AssistantForm({
  assistant,
  template,
  saved = assistant,
  action,
  request,
  onSubmit,
}: AssistantFormProps) {
  const [type, setType] = useState<string>(assistant?.type ?? 'text');
  const may = useMay();
  return (
    <Form error={request.error} onSubmit={(values) => !request.isPending && onSubmit(values)}>
      {!may('assistants:write') && (
        <p className="note" role="note">
          {words.readOnly}
        </p>
      )}
      <fieldset className={styles['sections']} disabled={!may('assistants:write')}>
        <Section title={words.basics}>
          <TextField
            name="name"
            label={texts.labels.name}
            defaultValue={(assistant ?? template)?.name}
            required
            maxLength={200}
          />
          <TextAreaField
            name="description"
            label={words.unversioned.description}
            defaultValue={assistant?.description ?? ''}
            isOptional
            rows={2}
            maxLength={2_000}
          />
          <TextField
            name="retention_days"
            label={words.retention}
            hint={words.retentionHint}
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
              label={texts.sessions.type}
              hint={words.typeHint}
              value={type}
              options={optionsOf(ASSISTANT_TYPES, texts.types)}
              onChange={({ target }) => setType(target.value)}
            />
          )}
          {type === 'text' && <Language assistant={assistant} hint={words.textLanguageHint} />}
        </Section>
        {type === 'voice' && <Transcription assistant={assistant} />}
        <AnalysisSection assistant={assistant} prompt={(assistant ?? template)?.system_prompt} />
        <FieldsEditor given={(assistant ?? template)?.fields ?? []} saved={saved?.fields ?? []} />
        <RedactionFields redaction={assistant?.redaction ?? null} isVoice={type === 'voice'} />
        <Outage assistant={assistant} isVoice={type === 'voice'} />
        {/* Disabled fields are not sent. */}
        <fieldset className={styles['webhook']} disabled={!may('assistants:webhook')}>
          <Webhook assistant={assistant} saved={saved} />
          <AlertsEditor given={assistant?.alerts ?? []} titleOf={titlesOf(saved?.fields)} savedAt={saved?.updated_at} />
        </fieldset>
      </fieldset>
      <FormButtons>
        {/* Not `disabled`: a disabled button loses the focus. */}
        <Button scope="assistants:write" type="submit" look="primary" aria-disabled={request.isPending}>
          {action}
        </Button>
        <May scope="assistants:write">
          <Trial assistant={assistant} />
          {saved && (
            <Suspense>
              <TestReviewed assistant={saved} />
            </Suspense>
          )}
        </May>
      </FormButtons>
    </Form>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Panel title={title}>
    <Fields>{children}</Fields>
  </Panel>
);

const Language = ({ assistant, hint }: { assistant: Assistant | undefined; hint: string }) => (
  <TextField
    name="stt_language"
    label={texts.versions.settings.stt_language}
    hint={hint}
    placeholder={assistant?.type === 'text' ? undefined : texts.versions.autoDetect}
    defaultValue={withoutAutoDetect(assistant?.stt_language)}
    isOptional
  />
);

function Transcription({ assistant }: { assistant: Assistant | undefined }) {
  return (
    <Section title={words.transcription}>
      <ModelFields
        prefix="stt"
        labels={{ provider: words.sttProvider, model: words.sttModel }}
        names={STT_PROVIDERS}
        initial={{ provider: assistant?.stt_provider ?? 'whisper', model: assistant?.stt_model ?? '' }}
      />
      <Language assistant={assistant} hint={words.languageHint} />
      <TextAreaField
        name="channel_roles"
        label={words.channels}
        hint={words.channelsHint(CHANNEL_PROVIDERS)}
        placeholder={['operator', 'client'].map(wordRole).join('\n')}
        isOptional
        rows={2}
        maxLength={400}
        defaultValue={assistant?.channel_roles?.join('\n')}
      />
    </Section>
  );
}

function AnalysisSection({ assistant, prompt = '' }: { assistant: Assistant | undefined; prompt: string | undefined }) {
  const [length, setLength] = useState(prompt.length);
  return (
    <Section title={words.analysis}>
      <TextAreaField
        name="system_prompt"
        label={texts.versions.settings.system_prompt}
        hint={words.promptHint(formatNumber(length), formatNumber(MAX_PROMPT))}
        defaultValue={prompt}
        required
        maxLength={MAX_PROMPT}
        rows={8}
        onInput={({ currentTarget }) => setLength(currentTarget.value.length)}
      />
      <ModelFields
        prefix="llm"
        labels={{ provider: words.llmProvider, model: texts.versions.settings.llm_model }}
        names={LLM_PROVIDERS}
        initial={{ provider: assistant?.llm_provider, model: assistant?.llm_model ?? '' }}
      />
      <TextField
        name="temperature"
        label={texts.versions.settings.temperature}
        hint={words.temperatureHint}
        type="number"
        min={0}
        max={1}
        step={0.05}
        required
        defaultValue={assistant?.temperature ?? 0.7}
      />
      <ReasoningFields prefix="" settings={assistant} />
    </Section>
  );
}

function Outage({ assistant, isVoice }: { assistant: Assistant | undefined; isVoice: boolean }) {
  const { llm_provider, llm_model, stt_provider, stt_model } = assistant?.fallback ?? {};
  return (
    <Section title={words.unversioned.on_provider_outage}>
      <SelectField
        name="on_provider_outage"
        label={words.onOutage}
        hint={words.onOutageHint}
        defaultValue={assistant?.on_provider_outage ?? 'fail'}
        options={optionsOf(OUTAGE_CHOICES, words.outageChoices)}
      />
      <ModelFields
        prefix="fallback.llm"
        labels={words.fallback.llm}
        names={LLM_PROVIDERS}
        initial={{ provider: llm_provider ?? '', model: llm_model ?? '' }}
        isOptional
      />
      {isVoice && (
        <ModelFields
          prefix="fallback.stt"
          labels={words.fallback.stt}
          names={STT_PROVIDERS}
          initial={{ provider: stt_provider ?? '', model: stt_model ?? '' }}
          isOptional
        />
      )}
    </Section>
  );
}

function Webhook({ assistant, saved }: Record<'assistant' | 'saved', Assistant | undefined>) {
  const events = assistant?.webhook_events ?? [];
  const all = events.length > 1 ? events : SESSION_EVENTS;
  return (
    <Section title={texts.assistants.webhook}>
      <TextField
        name="webhook_url"
        label={words.unversioned.webhook_url}
        hint={words.webhookHint}
        type="url"
        isOptional
        maxLength={2_048}
        defaultValue={assistant?.webhook_url ?? ''}
      />
      <SelectField
        name="webhook_events"
        label={words.webhookEvents}
        defaultValue={events.join()}
        options={[...optionsOf(SESSION_EVENTS, words.events), { value: all.join(), label: words.events.all }]}
      />
      <TextField
        // A new key clears the secret from the input after a save.
        key={saved?.updated_at}
        name="webhook_secret"
        label={words.webhookSecret}
        hint={saved?.has_webhook_secret ? words.secretKept : words.secretHint}
        type="password"
        autoComplete="off"
        isOptional
        maxLength={512}
      />
      <SelectField
        name="webhook_auth"
        label={words.webhookAuth}
        defaultValue={assistant?.webhook_auth}
        options={optionsOf(WEBHOOK_AUTHS, words.webhookAuths)}
      />
      <Receiver />
    </Section>
  );
}
