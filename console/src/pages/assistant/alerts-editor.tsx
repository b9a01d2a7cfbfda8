/** Edits the alerts of an assistant. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { useState } from 'react';
import type { Alert } from 'conversation-analysis-client';
import { ALERT_EVENTS, ALERT_FORMATS } from '../../../../contract/values/constants.ts';
import { readLines } from '../../analysis-settings/read-fields.ts';
import { RowsEditor } from '../../analysis-settings/rows-editor.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { Columns, SelectField, TextField } from '../../components/field.tsx';
import { FoldedPart } from '../../components/part.tsx';
import { describeConditions } from '../../fields/conditions.ts';
import type { TitleOf } from '../../fields/field-title.tsx';
import { texts } from '../../texts/index.ts';
import { ConditionsField } from '../../analysis-settings/conditions-field.tsx';

const words = texts.assistant.alerts;
const FORMATS = { json: 'JSON', slack: 'Slack' };

interface AlertsEditorProps {
  given: readonly Alert[];
  titleOf: TitleOf;
  /** Changes when the assistant is saved. */
  savedAt: string | undefined;
}

export const AlertsEditor = ({ given, titleOf, savedAt }: AlertsEditorProps) => (
  <FoldedPart
    title={texts.settingTitles.alerts}
    state={given.map(({ name }) => name).join(' · ') || texts.labels.none}
    isOpen={given.some(({ broken }) => broken.length > 0)}
  >
    <RowsEditor
      name="alerts"
      title={texts.settingTitles.alerts}
      words={words}
      max={LIMITS.alerts}
      given={given}
      describe={({ event = 'session.alert', when = [], format = 'json', broken = [] }) => {
        const conditions = describeConditions([when].flat().flatMap(readLines), titleOf);
        return (
          <strong>
            {(event === 'session.alert' && conditions) || words.events[event as Alert['event']]} →{' '}
            {FORMATS[format as Alert['format']]}
            {broken.length > 0 && (
              <span className="note warn"> {words.broken(describeConditions([broken].flat(), titleOf))}</span>
            )}
          </strong>
        );
      }}
    >
      {(alert, index) => <AlertInputs path={`alerts.${index}`} {...{ alert, savedAt }} />}
    </RowsEditor>
  </FoldedPart>
);

interface AlertInputsProps extends Pick<AlertsEditorProps, 'savedAt'> {
  /** The path of the alert in the request, which errors name too. */
  path: string;
  alert: Alert | undefined;
}

function AlertInputs({ path, alert, savedAt }: AlertInputsProps) {
  const [event, setEvent] = useState<string>(alert?.event ?? 'session.alert');
  return (
    <Columns>
      {/* An alert keeps its name. A new one is named by its condition. */}
      <input type="hidden" name={`${path}.name`} value={alert?.name ?? ''} />
      <SelectField
        name={`${path}.event`}
        label={words.event}
        value={event}
        autoFocus={alert === undefined}
        onChange={({ currentTarget }) => setEvent(currentTarget.value)}
        options={optionsOf(ALERT_EVENTS, words.events)}
      />
      {event === 'session.alert' && (
        <ConditionsField name={`${path}.when`} label={words.when} given={alert?.when ?? []} />
      )}
      <SelectField
        name={`${path}.format`}
        label={words.format}
        defaultValue={alert?.format}
        options={optionsOf(ALERT_FORMATS, FORMATS)}
      />
      <TextField
        name={`${path}.url`}
        label={texts.settingTitles.webhook_url}
        type="url"
        defaultValue={alert?.url}
        maxLength={LIMITS.url}
        required
      />
      {/* A saved secret leaves the form. */}
      <SecretField key={savedAt} name={`${path}.secret`} isKept={alert?.has_secret} />
    </Columns>
  );
}

/** A secret that signs what is sent to a URL. @param isKept an empty input keeps the stored one. */
export const SecretField = ({ name, isKept }: { name: string; isKept: boolean | undefined }) => (
  <TextField
    name={name}
    label={texts.settingTitles.webhook_secret}
    hint={isKept ? texts.assistant.secretKept : texts.assistant.secretHint}
    type="password"
    autoComplete="off"
    isOptional
    maxLength={LIMITS.secret}
  />
);
