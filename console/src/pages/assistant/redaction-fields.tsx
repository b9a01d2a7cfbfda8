import type { Assistant } from 'conversation-analysis-client';
import { REDACTION_KINDS } from '../../../../contract/values/redaction-kinds.ts';
import { optionsOf } from '../../components/choice.tsx';
import { CheckField, Fields, SelectField } from '../../components/field.tsx';
import { FoldedPanel } from '../../components/folded-panel.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.assistant.redaction;

interface RedactionFieldsProps {
  redaction: Assistant['redaction'];
  isVoice: boolean;
}

/** What the assistant replaces in conversations. */
export const RedactionFields = ({ redaction, isVoice }: RedactionFieldsProps) => (
  <FoldedPanel
    title={texts.settingTitles.redaction}
    state={redaction?.entities.map((kind) => texts.redactionKinds[kind]).join(', ') ?? texts.labels.none}
  >
    <Fields>
      <p className="note">{words.hint}</p>
      {REDACTION_KINDS.map((kind) => (
        <CheckField
          key={kind}
          name={`redaction.${kind}`}
          label={texts.redactionKinds[kind]}
          defaultChecked={redaction?.entities.includes(kind)}
        />
      ))}
      <SelectField
        name="redaction.originals"
        label={words.originals}
        hint={words.originalsHint}
        defaultValue={redaction?.originals ?? 'discard'}
        options={optionsOf(['discard', 'seal'] as const, words.choices)}
      />
      {isVoice && (
        <CheckField name="redaction.keep_audio" label={words.keepAudio} defaultChecked={redaction?.keep_audio} />
      )}
    </Fields>
  </FoldedPanel>
);
