/** Edits the follow-ups of an assistant. */
import type { Assistant } from 'conversation-analysis-client';
import { LIMITS } from '../../../../contract/values/limits.ts';
import { ConditionsField } from '../../analysis-settings/conditions-field.tsx';
import { readLines } from '../../analysis-settings/read-fields.ts';
import { RowsEditor } from '../../analysis-settings/rows-editor.tsx';
import { Columns, SelectField } from '../../components/field.tsx';
import { FoldedPart } from '../../components/part.tsx';
import { describeConditions } from '../../fields/conditions.ts';
import { titlesOf } from '../../fields/field-title.tsx';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { texts } from '../../texts/index.ts';

const words = texts.assistant.followUps;

export function FollowUps({ assistant }: { assistant: Assistant | undefined }) {
  const { id, follow_ups: given = [] } = assistant ?? {};
  const others = useAssistantOptions().filter(({ value }) => value !== id);
  const nameOf = (assistantId: string) => others.find(({ value }) => value === assistantId)?.label ?? assistantId;
  const title = texts.settingTitles.follow_ups;
  const titleOf = titlesOf(assistant?.fields);
  const state = given.map(({ assistant_id }) => nameOf(assistant_id)).join(' · ') || texts.labels.none;
  return (
    <FoldedPart title={title} hint={words.hint} state={state}>
      <RowsEditor
        name="follow_ups"
        title={title}
        words={words}
        max={LIMITS.followUps}
        given={given}
        describe={({ assistant_id, when = [] }) => (
          <>
            <strong>{assistant_id ? nameOf(assistant_id) : words.add}</strong>
            <span className="note">{describeConditions([when].flat().flatMap(readLines), titleOf)}</span>
          </>
        )}
      >
        {(followUp, index) => (
          <Columns>
            <SelectField
              name={`follow_ups.${index}.assistant_id`}
              label={words.assistant}
              defaultValue={followUp?.assistant_id}
              autoFocus={followUp === undefined}
              // A deleted assistant, and any until the list is loaded, keeps its place.
              options={
                followUp === undefined || others.some(({ value }) => value === followUp.assistant_id)
                  ? others
                  : [{ value: followUp.assistant_id, label: followUp.assistant_id }, ...others]
              }
            />
            <ConditionsField
              name={`follow_ups.${index}.when`}
              label={texts.assistant.alerts.when}
              given={followUp?.when ?? []}
            />
          </Columns>
        )}
      </RowsEditor>
    </FoldedPart>
  );
}
