import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type CSSProperties } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { getAssistantAccuracyOptions } from 'conversation-analysis-client/react-query';
import { ASSISTANT_TYPES } from '../../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../../contract/values/providers.ts';
import { namesOf } from '../../analysis-settings/changed-settings.ts';
import { FieldsEditor } from '../../analysis-settings/fields-editor.tsx';
import { ModelFields } from '../../analysis-settings/model-fields.tsx';
import { SettingField } from '../../analysis-settings/setting-field.tsx';
import { Button } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { Columns, Fields, Form, FormButtons, SelectField } from '../../components/field.tsx';
import { May } from '../../components/may.tsx';
import { readForm } from '../../components/form-values.ts';
import { FoldedPart, Part } from '../../components/part.tsx';
import { DiscardDialog } from '../../components/unsaved-guard.tsx';
import { titlesOf } from '../../fields/field-title.tsx';
import { usePeriod } from '../../search/period.ts';
import { useMay } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { toPatch } from './assistant-input.ts';
import { AlertsEditor } from './alerts-editor.tsx';
import styles from './edit-assistant.module.css';
import { General, Outage, Transcription, Webhook } from './folded-settings.tsx';
import { FollowUps } from './follow-ups-editor.tsx';
import { RedactionFields } from './redaction-fields.tsx';
import { TestReviewed, Trial } from './test-buttons.tsx';

interface AssistantFormProps {
  /** Omitted for a new assistant. */
  assistant?: Assistant;
  /** What a new assistant starts with. */
  template?: Pick<Assistant, 'name' | 'system_prompt' | 'fields'> | undefined;
  /** The assistant as it was last saved; omitted if the form creates one. */
  saved?: Assistant;
  onDiscard?: () => void;
  action: string;
  /** The request that submits the form. */
  request: { error: unknown; isPending: boolean };
  onSubmit: (values: Record<string, string>) => void;
}

const words = texts.assistant;

export function AssistantForm({ assistant, template, action, request, ...props }: AssistantFormProps) {
  const { saved, onSubmit, onDiscard } = props;
  const [type, setType] = useState<string>(assistant?.type ?? 'text');
  const isVoice = type === 'voice';
  const may = useMay();
  const accuracy = useQuery({
    ...getAssistantAccuracyOptions({ path: { id: assistant?.id ?? '' }, query: usePeriod('30d') }),
    enabled: assistant?.fields != null,
  });
  const box = useRef<HTMLFieldSetElement>(null);
  const [changed, setChanged] = useState('');
  const [isAsked, setAsked] = useState(false);
  const readChanges = () => {
    const form = box.current?.form;
    if (form && saved) setChanged(namesOf(toPatch(readForm(form), saved)));
  };
  useEffect(readChanges, [saved]);
  const foldedParts = (
    <>
      <General assistant={assistant} isVoice={isVoice} />
      <RedactionFields redaction={assistant?.redaction ?? null} isVoice={isVoice} />
      <Outage assistant={assistant} isVoice={isVoice} />
      <FollowUps assistant={assistant} />
      {/* Disabled fields are not sent. */}
      <fieldset className={styles['webhook']} disabled={!may('assistants:webhook')}>
        <Webhook assistant={assistant} saved={saved} />
        <AlertsEditor
          given={assistant?.alerts ?? []}
          titleOf={titlesOf(saved?.fields, assistant?.fields)}
          savedAt={saved?.updated_at}
        />
      </fieldset>
    </>
  );
  return (
    <Form error={request.error} onSubmit={(values) => !request.isPending && onSubmit(values)}>
      {!may('assistants:write') && (
        <p className="note" role="note">
          {words.readOnly}
        </p>
      )}
      <fieldset ref={box} className={styles['sections']} onInput={readChanges} disabled={!may('assistants:write')}>
        <Part title={texts.settingTitles.llm_model}>
          <Fields>
            <Columns style={assistant && ({ '--column': '14rem' } as CSSProperties)}>
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
              <ModelFields
                prefix="llm"
                names={LLM_PROVIDERS}
                initial={{ provider: assistant?.llm_provider, model: assistant?.llm_model ?? '' }}
              />
            </Columns>
            <SettingField name="system_prompt" settings={assistant ?? template} />
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
        {assistant ? foldedParts : <FoldedPart title={words.more}>{foldedParts}</FoldedPart>}
      </fieldset>
      <FormButtons>
        {/* Not `disabled`: a disabled button loses the focus. */}
        <Button
          scope="assistants:write"
          type="submit"
          look={saved && !changed ? 'plain' : 'primary'}
          aria-disabled={request.isPending}
        >
          {action}
        </Button>
        <May scope="assistants:write">
          {changed && <Button onClick={() => setAsked(true)}>{texts.labels.discard}</Button>}
          <Trial assistant={assistant} />
          {saved && <TestReviewed assistant={saved} />}
          {changed && (
            <span className="note">
              {texts.versions.changed}: {changed}
            </span>
          )}
        </May>
      </FormButtons>
      <DiscardDialog isOpen={isAsked} onClose={() => setAsked(false)} onConfirm={() => onDiscard?.()} />
    </Form>
  );
}
