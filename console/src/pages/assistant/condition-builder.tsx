import { useState, type MouseEvent } from 'react';
import { FIELD_OPERATORS, type FieldOperator } from '../../../../contract/values/field-conditions.ts';
import { Button } from '../../components/button.tsx';
import { readRows } from '../../analysis-settings/read-fields.ts';
import { Choice, toOptions, type Option } from '../../components/choice.tsx';
import controlStyles from '../../components/control.module.css';
import { readForm } from '../../components/form-values.ts';
import { conditionOn } from '../../fields/conditions.ts';
import { texts } from '../../texts/index.ts';

const { operators, states } = texts.fields;
const LABELS: Record<string, string> = { ...operators, ...states };

/** Adds a condition on a field of the surrounding form to a text area. @param target name of the text area */
export function ConditionBuilder({ target }: { target: string }) {
  const [fields, setFields] = useState<Option[]>([]);
  const [name, setName] = useState('');
  const [operator, setOperator] = useState<FieldOperator>('eq');
  const [value, setValue] = useState('');
  const needsValue = operator in operators;
  const field = name || fields[0]?.value || '';
  const readFields = (form: HTMLFormElement | null) =>
    setFields(
      readRows(form ? readForm(form) : {}, 'fields').flatMap(({ name: key, title }) =>
        key ? [{ value: key, label: title || key }] : [],
      ),
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
    <div className="row" onFocus={({ currentTarget }) => readFields(currentTarget.closest('form'))}>
      <select
        className={`${controlStyles['control']} ${controlStyles['compact']}`}
        aria-label={texts.session.fields.field}
        value={field}
        onPointerDown={({ currentTarget }) => readFields(currentTarget.form)}
        onChange={({ target: { value: chosen } }) => setName(chosen)}
      >
        {toOptions(fields.length > 0 ? fields : [{ value: '', label: '–' }])}
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
