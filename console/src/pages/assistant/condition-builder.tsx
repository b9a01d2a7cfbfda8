import { useState, type MouseEvent } from 'react';
import { FIELD_OPERATORS, type FieldOperator } from '../../../../contract/values/field-conditions.ts';
import { Button } from '../../components/button.tsx';
import { Choice, toOptions } from '../../components/choice.tsx';
import controlStyles from '../../components/control.module.css';
import { conditionOn } from '../../fields/conditions.ts';
import { texts } from '../../texts/index.ts';

const { operators, states } = texts.fields;
const LABELS: Record<string, string> = { ...operators, ...states };

/** Adds a condition on a field of the surrounding form to a text area. @param target name of the text area */
export function ConditionBuilder({ target }: { target: string }) {
  const [names, setNames] = useState<string[]>([]);
  const [name, setName] = useState('');
  const [operator, setOperator] = useState<FieldOperator>('eq');
  const [value, setValue] = useState('');
  const needsValue = operator in operators;
  const field = name || names[0] || '';
  const readNames = (form: HTMLFormElement | null) =>
    setNames(
      [...(form?.querySelectorAll<HTMLInputElement>('input[name^="fields."][name$=".name"]') ?? [])]
        .map((each) => each.value)
        .filter(Boolean),
    );
  const add = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    const area = form?.elements.namedItem(target);
    if (!(area instanceof HTMLTextAreaElement)) return;
    const condition = conditionOn(field, operator, needsValue ? value.trim() : undefined);
    area.value = [area.value.trimEnd(), condition].filter(Boolean).join('\n');
    area.dispatchEvent(new Event('input', { bubbles: true }));
    setValue('');
  };
  return (
    <div className="row" onFocus={({ currentTarget }) => readNames(currentTarget.closest('form'))}>
      <select
        className={`${controlStyles['control']} ${controlStyles['compact']}`}
        aria-label={texts.session.fields.field}
        value={field}
        onPointerDown={({ currentTarget }) => readNames(currentTarget.form)}
        onChange={({ target: { value: chosen } }) => setName(chosen)}
      >
        {toOptions(
          names.length > 0 ? names.map((each) => ({ value: each, label: each })) : [{ value: '', label: '–' }],
        )}
      </select>
      <Choice
        label={texts.assistant.condition.operator}
        value={operator}
        options={FIELD_OPERATORS.map((each) => ({ value: each, label: LABELS[each] ?? each }))}
        onChoose={setOperator}
      />
      {needsValue && (
        <input
          className={`${controlStyles['control']} ${controlStyles['compact']}`}
          aria-label={texts.session.fields.value}
          placeholder={texts.session.fields.value}
          value={value}
          onChange={({ target: { value: typed } }) => setValue(typed)}
        />
      )}
      <Button size="small" disabled={field === '' || (needsValue && value.trim() === '')} onClick={add}>
        {texts.assistant.condition.add}
      </Button>
    </div>
  );
}
