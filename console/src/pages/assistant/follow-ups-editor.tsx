/** Edits the follow-ups of an assistant. */
import type { Assistant } from 'conversation-analysis-client';
import { LIMITS } from '../../../../contract/values/limits.ts';
import { ConditionsField } from '../../analysis-settings/conditions-field.tsx';
import { RowsEditor } from '../../analysis-settings/rows-editor.tsx';
import { SelectField } from '../../components/field.tsx';
import { FoldedPanel } from '../../components/folded-panel.tsx';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { texts } from '../../texts/index.ts';
import styles from './edit-assistant.module.css';

const words = texts.assistant.followUps;

export function FollowUps({ assistant }: { assistant: Assistant | undefined }) {
  const { id, follow_ups: given = [] } = assistant ?? {};
  const others = useAssistantOptions().filter(({ value }) => value !== id);
  const nameOf = (assistantId: string) => others.find(({ value }) => value === assistantId)?.label ?? assistantId;
  const title = texts.settingTitles.follow_ups;
  const state = given.map(({ assistant_id }) => nameOf(assistant_id)).join(' · ') || texts.labels.none;
  return (
    <FoldedPanel title={title} state={state}>
      <RowsEditor title={title} words={words} max={LIMITS.followUps} given={given}>
        {(followUp, index) => (
          <div className={styles['alert']}>
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
          </div>
        )}
      </RowsEditor>
    </FoldedPanel>
  );
}
