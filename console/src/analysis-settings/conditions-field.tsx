/** Conditions on the fields of a form, and inputs that add one. */
import { useEffect, useRef, useState } from 'react';
import { isYesNo } from '../../../contract/fields/field-types.ts';
import type { FieldType } from '../../../contract/values/constants.ts';
import { operatorsOf, type FieldOperator } from '../../../contract/fields/conditions.ts';
import { Button } from '../components/button.tsx';
import { readLines, readRows } from './read-fields.ts';
import { Choice, optionsOf, type Option } from '../components/choice.tsx';
import controlStyles from '../components/control.module.css';
import { FieldGroup } from '../components/field.tsx';
import { readForm } from '../components/form-values.ts';
import { Chip } from '../fields/chip.tsx';
import { conditionOn, describeCondition } from '../fields/conditions.ts';
import { texts } from '../texts/index.ts';

const { operators, states, yes, no } = texts.fields;
const LABELS = { ...operators, ...states };

interface Field extends Option {
  type: FieldType;
  /** The values that a condition can compare the field with; empty: all. */
  values: readonly Option[];
}

/** Returns the fields as they are in the form, saved or not, and the attributes of an element in it. */
export function useFormFields() {
  const ref = useRef<HTMLDivElement>(null);
  const [fields, setFields] = useState<readonly Field[]>([]);
  const read = () => setFields(fieldsOf(ref.current?.closest('form') ?? null));
  useEffect(read, []);
  return { fields, box: { ref, className: 'stack', onFocus: read, onPointerDown: read } };
}

const fieldsOf = (form: HTMLFormElement | null): Field[] =>
  readRows(form ? readForm(form) : {}, 'fields').flatMap(({ name: value, title, type = 'string', options = '' }) =>
    value ? [{ value, label: title || value, type: type as FieldType, values: valuesOf(type, options) }] : [],
  );

const valuesOf = (type: string, options: string): Option[] =>
  isYesNo(type as FieldType)
    ? optionsOf(['true', 'false'], { true: yes, false: no })
    : readLines(options).map((value) => ({ value, label: value }));

interface ConditionsFieldProps {
  name: string;
  label: string;
  given: readonly string[];
  /** Returns the fields that can have conditions. Default: all. */
  offered?: (fields: readonly Field[]) => readonly Field[];
}

/** The value is a condition on each line. */
export function ConditionsField({ given, offered = (all) => all, ...field }: ConditionsFieldProps) {
  const { fields, box } = useFormFields();
  const [conditions, setConditions] = useState(given);
  // A condition is also an input of the form.
  useEffect(() => void box.ref.current?.dispatchEvent(new Event('input', { bubbles: true })), [box.ref, conditions]);
  const titleOf = (key: string) => fields.find(({ value }) => value === key)?.label ?? key;
  return (
    <FieldGroup {...field}>
      <input type="hidden" name={field.name} value={conditions.join('\n')} />
      <div {...box}>
        {conditions.length > 0 && (
          <ul className="row">
            {conditions.map((each) => (
              <Chip
                key={each}
                text={describeCondition(each, titleOf)}
                onRemove={() => setConditions(conditions.filter((other) => other !== each))}
              />
            ))}
          </ul>
        )}
        <Builder fields={offered(fields)} onAdd={(added) => setConditions([...new Set([...conditions, added])])} />
      </div>
    </FieldGroup>
  );
}

function Builder({ fields, onAdd }: { fields: readonly Field[]; onAdd: (condition: string) => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<FieldOperator>('eq');
  const [typed, setTyped] = useState('');
  const field = fields.find(({ value }) => value === name) ?? fields[0];
  const allowed = operatorsOf(field?.type ?? 'string');
  const operator = allowed.includes(chosen) ? chosen : 'eq';
  const values = field?.values ?? [];
  const value = values.some((each) => each.value === typed) ? typed : (values[0]?.value ?? typed.trim());
  const needsValue = operator in operators;
  return (
    <div className="row">
      <Choice
        label={texts.versions.properties.description}
        value={field?.value ?? ''}
        options={fields.length > 0 ? fields : [{ value: '', label: '–' }]}
        onChoose={setName}
      />
      <Choice
        label={texts.assistant.condition.operator}
        value={operator}
        options={optionsOf(allowed, LABELS)}
        onChoose={setChosen}
      />
      {needsValue && values.length > 0 && (
        <Choice label={texts.lists.answer} value={value} options={values} onChoose={setTyped} />
      )}
      {needsValue && values.length === 0 && (
        <input
          className={`${controlStyles['control']} ${controlStyles['compact']}`}
          aria-label={texts.lists.answer}
          placeholder={texts.lists.answer}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <Button
        size="small"
        disabled={!field || (needsValue && value === '')}
        onClick={() => field && onAdd(conditionOn(field.value, operator, needsValue ? value : undefined))}
      >
        {texts.assistant.condition.add}
      </Button>
    </div>
  );
}
