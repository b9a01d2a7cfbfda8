import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { getAssistantAccuracyOptions } from 'conversation-analysis-client/react-query';
import { SETTINGS } from '../../../../contract/assistants/settings.ts';
import { ASSISTANT_TYPES } from '../../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../../contract/values/providers.ts';
import { FieldsEditor } from '../../analysis-settings/fields-editor.tsx';
import { ModelFields } from '../../analysis-settings/model-fields.tsx';
import { SettingField } from '../../analysis-settings/setting-field.tsx';
import { Button } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { Columns, Fields, Form, FormButtons, SelectField, TextAreaField } from '../../components/field.tsx';
import { May } from '../../components/may.tsx';
import { Part } from '../../components/part.tsx';
import { titlesOf } from '../../fields/field-title.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { usePeriod } from '../../search/period.ts';
import { useMay } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { AlertsEditor } from './alerts-editor.tsx';
import styles from './edit-assistant.module.css';
import { More, Outage, Transcription, Webhook } from './folded-settings.tsx';
import { FollowUps } from './follow-ups-editor.tsx';
import { RedactionFields } from './redaction-fields.tsx';
import { TestReviewed, Trial } from './test-buttons.tsx';

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

export function AssistantForm({ assistant, template, action, request, ...props }: AssistantFormProps) {
  const { saved = assistant, onSubmit } = props;
  const [type, setType] = useState<string>(assistant?.type ?? 'text');
  const isVoice = type === 'voice';
  const may = useMay();
  const accuracy = useQuery({
    ...getAssistantAccuracyOptions({ path: { id: assistant?.id ?? '' }, query: usePeriod('30d') }),
    enabled: assistant?.fields != null,
  });
  return (
    <Form error={request.error} onSubmit={(values) => !request.isPending && onSubmit(values)}>
      {!may('assistants:write') && (
        <p className="note" role="note">
          {words.readOnly}
        </p>
      )}
      <fieldset className={styles['sections']} disabled={!may('assistants:write')}>
        <Part title={texts.settingTitles.llm_model}>
          <Fields>
            <Columns>
              <SettingField name="name" settings={assistant ?? template} />
              {!assistant && (
                <SelectField
                  name="type"
                  label={texts.versions.properties.type}
                  hint={words.typeHint}
                  value={type}
                  options={optionsOf(ASSISTANT_TYPES, texts.types)}
                  onChange={({ target }) => setType(target.value)}
                />
              )}
            </Columns>
            <Prompt prompt={(assistant ?? template)?.system_prompt} />
            <Columns>
              <ModelFields
                prefix="llm"
                labels={{ provider: words.llmProvider, model: texts.settingTitles.llm_model }}
                names={LLM_PROVIDERS}
                initial={{ provider: assistant?.llm_provider, model: assistant?.llm_model ?? '' }}
              />
            </Columns>
          </Fields>
        </Part>
        <Part title={texts.settingTitles.fields} hint={words.fields.hint}>
          <FieldsEditor
            given={(assistant ?? template)?.fields ?? []}
            saved={saved?.fields ?? []}
            accuracy={accuracy.data}
          />
        </Part>
        {isVoice && <Transcription assistant={assistant} />}
        <More assistant={assistant} isVoice={isVoice} />
        <RedactionFields redaction={assistant?.redaction ?? null} isVoice={isVoice} />
        <Outage assistant={assistant} isVoice={isVoice} />
        <FollowUps assistant={assistant} />
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
          {saved && <TestReviewed assistant={saved} />}
        </May>
      </FormButtons>
    </Form>
  );
}

function Prompt({ prompt = '' }: { prompt: string | undefined }) {
  const [length, setLength] = useState(prompt.length);
  return (
    <TextAreaField
      name="system_prompt"
      label={texts.settingTitles.system_prompt}
      hint={words.promptHint(formatNumber(length), formatNumber(SETTINGS.system_prompt.max))}
      defaultValue={prompt}
      required
      maxLength={SETTINGS.system_prompt.max}
      rows={4}
      onInput={({ currentTarget }) => setLength(currentTarget.value.length)}
    />
  );
}
