import { useRef, useState } from 'react';
import { SelectField } from '../components/field.tsx';
import { isUnsaved } from '../components/form-values.ts';
import { DiscardDialog } from '../components/unsaved-guard.tsx';
import { templates } from './samples.ts';
import { texts } from '../texts/index.ts';

const words = texts.start;

interface TemplateFieldProps {
  /** The name of the template. Empty: none. */
  chosen: string;
  onChoose: (chosen: string) => void;
}

/** Chooses what a new assistant starts with. It is before its form, which starts again with each choice. */
export function TemplateField({ chosen, onChoose }: TemplateFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  /** Chosen after something was typed into the form. */
  const [asked, setAsked] = useState<string>();
  const choose = (name: string) => {
    const form = box.current?.parentElement?.querySelector('form');
    if (form && isUnsaved(form)) setAsked(name);
    else onChoose(name);
  };
  return (
    <div ref={box}>
      <SelectField
        name="template"
        label={words.assistant.template}
        value={chosen}
        options={[
          ...templates.map(({ name }) => ({ value: name, label: name })),
          { value: '', label: words.noTemplate },
        ]}
        onChange={({ target }) => choose(target.value)}
      />
      <DiscardDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          setAsked(undefined);
          onChoose(asked ?? '');
        }}
      />
    </div>
  );
}
