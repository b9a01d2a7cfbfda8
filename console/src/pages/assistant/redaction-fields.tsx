import { useState } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { REDACTION_KINDS } from '../../../../contract/values/redaction-kinds.ts';
import { optionsOf } from '../../components/choice.tsx';
import { CheckField, Columns, Fields, SelectField } from '../../components/field.tsx';
import { FoldedPart } from '../../components/part.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.assistant.redaction;

interface RedactionFieldsProps {
  redaction: Assistant['redaction'];
  isVoice: boolean;
}

/** What the assistant replaces in conversations. */
export function RedactionFields({ redaction, isVoice }: RedactionFieldsProps) {
  const [isOn, setOn] = useState(redaction !== null);
  return (
    <FoldedPart
      title={texts.settingTitles.redaction}
      hint={words.hint}
      state={redaction?.entities.map((kind) => texts.redactionKinds[kind]).join(', ') ?? texts.labels.none}
    >
      <Fields onChange={({ currentTarget }) => setOn(currentTarget.querySelector('input:checked') !== null)}>
        <Columns>
          {REDACTION_KINDS.map((kind) => (
            <CheckField
              key={kind}
              name={`redaction.${kind}`}
              label={texts.redactionKinds[kind]}
              defaultChecked={redaction?.entities.includes(kind)}
            />
          ))}
        </Columns>
        {isOn && (
          <SelectField
            name="redaction.originals"
            label={words.originals}
            hint={words.originalsHint}
            defaultValue={redaction?.originals ?? 'discard'}
            options={optionsOf(['discard', 'seal'] as const, words.choices)}
          />
        )}
        {isOn && isVoice && (
          <CheckField name="redaction.keep_audio" label={words.keepAudio} defaultChecked={redaction?.keep_audio} />
        )}
      </Fields>
    </FoldedPart>
  );
}
