import { useRef, useState } from 'react';
import type { Option } from '../components/choice.tsx';
import { SelectField } from '../components/field.tsx';
import { isUnsaved } from '../components/form-values.ts';
import { DiscardDialog } from '../components/unsaved-guard.tsx';

interface StartFromFieldProps {
  name: string;
  label: string;
  options: readonly Option[];
  chosen: string;
  onChoose: (chosen: string) => void;
}

/** Chooses the first values of a form. It is before the form, which starts again with each choice. */
export function StartFromField({ chosen, onChoose, ...field }: StartFromFieldProps) {
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
      <SelectField {...field} value={chosen} onChange={({ target }) => choose(target.value)} />
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
