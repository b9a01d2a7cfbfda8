/** The settings of an assistant that most people leave as they are: a click opens each panel. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import type { Assistant } from 'conversation-analysis-client';
import { SESSION_EVENTS, WEBHOOK_AUTHS, type SessionEvent } from '../../../../contract/values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDER_FACTS, STT_PROVIDERS } from '../../../../contract/values/providers.ts';
import { ModelFields } from '../../analysis-settings/model-fields.tsx';
import { SettingField, SettingFields } from '../../analysis-settings/setting-field.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { CheckField, Columns, Fields, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { FoldedPart } from '../../components/part.tsx';
import { formatExact } from '../../format/numbers.ts';
import { wordRole } from '../../format/roles.ts';
import { PROVIDER_NAMES } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import { SecretField } from './alerts-editor.tsx';
import { withoutAutoDetect } from './assistant-input.ts';

const words = texts.assistant;
const titles = texts.settingTitles;

/** The providers that transcribe channels separately. */
const CHANNEL_PROVIDERS = STT_PROVIDERS.filter((name) => STT_PROVIDER_FACTS[name].max_channels > 1)
  .map((name) => PROVIDER_NAMES[name])
  .join(', ');

export function Transcription({ assistant }: { assistant: Assistant | undefined }) {
  const { stt_provider = 'whisper', stt_model, channel_roles, vocabulary } = assistant ?? {};
  return (
    <FoldedPart title={titles.stt_provider} state={stt_provider && PROVIDER_NAMES[stt_provider]} isOpen={!assistant}>
      <Columns>
        <ModelFields
          prefix="stt"
          names={STT_PROVIDERS}
          initial={{ provider: stt_provider ?? 'whisper', model: stt_model ?? '' }}
        />
        <Language assistant={assistant} hint={words.languageHint} />
        <TextAreaField
          name="channel_roles"
          label={titles.channel_roles}
          hint={words.channelsHint(CHANNEL_PROVIDERS)}
          placeholder={['operator', 'client'].map(wordRole).join('\n')}
          isOptional
          rows={2}
          defaultValue={channel_roles?.join('\n')}
        />
        <TextAreaField
          name="vocabulary"
          label={titles.vocabulary}
          hint={words.vocabularyHint(LIMITS.terms)}
          isOptional
          rows={2}
          defaultValue={vocabulary?.join('\n')}
        />
      </Columns>
    </FoldedPart>
  );
}

export function General({ assistant, isVoice }: { assistant: Assistant | undefined; isVoice: boolean }) {
  const { temperature, reasoning_effort, max_output_tokens, retention_days } = assistant ?? {};
  const set = Object.entries({ temperature, reasoning_effort, max_output_tokens, retention_days }).flatMap(
    ([name, value]) =>
      value == null
        ? []
        : `${titles[name as keyof typeof titles]}: ${typeof value === 'number' ? formatExact(value) : value}`,
  );
  return (
    <FoldedPart title={texts.workspaces.general} state={set.join(' · ') || texts.labels.none}>
      <Fields>
        <SettingField name="description" settings={assistant} />
        <Columns>
          {!isVoice && <Language assistant={assistant} hint={words.textLanguageHint} />}
          <SettingFields of={({ group }) => group === 'more'} settings={assistant} />
          <CheckField
            name="economy"
            label={texts.settingTexts.values['economy']?.['flex'] ?? ''}
            hint={texts.settingTexts.hints['economy']}
            defaultChecked={assistant?.economy ?? false}
          />
        </Columns>
      </Fields>
    </FoldedPart>
  );
}

export function Outage({ assistant, isVoice }: { assistant: Assistant | undefined; isVoice: boolean }) {
  const { llm_provider, llm_model, stt_provider, stt_model } = assistant?.fallback ?? {};
  const choice = assistant?.on_provider_outage ?? 'fail';
  return (
    <FoldedPart title={titles.on_provider_outage} state={texts.settingTexts.values['on_provider_outage']?.[choice]}>
      <Columns>
        <SettingField name="on_provider_outage" settings={assistant} />
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
      </Columns>
    </FoldedPart>
  );
}

/** Each choice of at least one event. */
const EVENT_CHOICES = SESSION_EVENTS.reduce<SessionEvent[][]>(
  (sets, event) => [...sets, ...sets.map((set) => [...set, event])],
  [[]],
).slice(1);

export function Webhook({ assistant, saved }: Record<'assistant' | 'saved', Assistant | undefined>) {
  const { webhook_events: events = [], webhook_url: url } = assistant ?? {};
  return (
    <FoldedPart title={texts.assistants.webhook} hint={words.webhookHint} state={url ?? texts.labels.none}>
      <Columns>
        <TextField
          name="webhook_url"
          label={titles.webhook_url}
          type="url"
          isOptional
          maxLength={LIMITS.url}
          defaultValue={url ?? ''}
        />
        {/* A new key clears the secret from the input after a save. */}
        <SecretField key={saved?.updated_at} name="webhook_secret" isKept={saved?.has_webhook_secret} />
        <SelectField
          name="webhook_events"
          label={titles.webhook_events}
          defaultValue={events.join()}
          options={EVENT_CHOICES.map((chosen) => ({
            // The same events keep their order, so an unchanged choice is no change.
            value: (chosen.length === events.length && chosen.every((each) => events.includes(each))
              ? events
              : chosen
            ).join(),
            label: chosen.map((each) => words.events[each]).join(', '),
          }))}
        />
        <SelectField
          name="webhook_auth"
          label={titles.webhook_auth}
          defaultValue={assistant?.webhook_auth}
          options={optionsOf(WEBHOOK_AUTHS, words.webhookAuths)}
        />
      </Columns>
    </FoldedPart>
  );
}

const Language = ({ assistant, hint }: { assistant: Assistant | undefined; hint: string }) => (
  <TextField
    name="stt_language"
    label={titles.stt_language}
    hint={hint}
    placeholder={assistant?.type === 'text' ? undefined : texts.versions.autoDetect}
    defaultValue={withoutAutoDetect(assistant?.stt_language)}
    isOptional
  />
);
