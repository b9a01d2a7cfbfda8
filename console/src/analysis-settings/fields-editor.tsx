/** Edits the fields of an assistant: questions with typed answers. */
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { MouseEvent, MouseEventHandler } from 'react';
import { FIELD_TYPES } from '../../../contract/constants.ts';
import type { FieldType } from '../../../contract/constants.ts';
import type { ResultField } from '../../../contract/result-fields.ts';
import { Button } from '../components/button.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../components/field.tsx';
import { Panel } from '../components/page.tsx';
import { texts } from '../texts/index.ts';
import styles from './fields-editor.module.css';

const words = texts.assistant.fields;
const MAX_FIELDS = 50;

interface Row {
  /** Stays the same when the row moves: typed text moves with it. */
  key: number;
  type: FieldType;
  given?: ResultField;
}

interface FieldsEditorProps {
  /** Prefix of the input names. */
  prefix?: string;
  fields: readonly ResultField[];
}

export function FieldsEditor({ prefix = '', fields }: FieldsEditorProps) {
  const [rows, setRows] = useState<Row[]>(() => fields.map((given, key) => ({ key, type: given.type, given })));
  const list = useRef<HTMLOListElement>(null);
  // Adding, removing or moving a row is also an input of the form.
  useEffect(() => void list.current?.dispatchEvent(new Event('input', { bubbles: true })), [rows]);
  const add = () => setRows([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, type: 'string' }]);
  const move = (index: number, by: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    const moved = rows.toSpliced(index, 1);
    setRows(moved.toSpliced(index + by, 0, rows[index] as Row));
    // Moving the row in the page removes the focus.
    requestAnimationFrame(() => button.focus());
  };
  return (
    <Panel
      title={words.title}
      actions={
        <Button size="small" onClick={add} disabled={rows.length >= MAX_FIELDS}>
          <Plus size={14} aria-hidden />
          {words.add}
        </Button>
      }
    >
      {rows.length === 0 && <p className="note">{words.none}</p>}
      <ol ref={list} className={styles['rows']}>
        {rows.map((row, index) => (
          <li key={row.key} className={styles['row']}>
            <FieldInputs
              path={`${prefix}fields.${index}`}
              row={row}
              onType={(type) => setRows(rows.with(index, { ...row, type }))}
            />
            <div className={styles['tools']}>
              <Tool icon={ArrowUp} label={words.up(index + 1)} disabled={index === 0} onClick={move(index, -1)} />
              <Tool
                icon={ArrowDown}
                label={words.down(index + 1)}
                disabled={index === rows.length - 1}
                onClick={move(index, 1)}
              />
              <Tool icon={Trash2} label={words.remove(index + 1)} onClick={() => setRows(rows.toSpliced(index, 1))} />
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

interface ToolProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onClick: MouseEventHandler<HTMLButtonElement>;
}

const Tool = ({ icon: Icon, ...button }: ToolProps) => (
  <Button look="quiet" size="small" isIcon {...button}>
    <Icon size={14} aria-hidden />
  </Button>
);

interface FieldInputsProps {
  /** The path of the field in the request, which errors name too. */
  path: string;
  row: Row;
  onType: (type: FieldType) => void;
}

function FieldInputs({ path, row: { type, given }, onType }: FieldInputsProps) {
  return (
    <div className={styles['inputs']}>
      <TextField
        name={`${path}.name`}
        label={words.name}
        defaultValue={given?.name}
        maxLength={40}
        autoFocus={given === undefined}
        required
      />
      <SelectField
        name={`${path}.type`}
        label={words.type}
        value={type}
        options={FIELD_TYPES.map((value) => ({ value, label: words.types[value] }))}
        onChange={({ target }) => onType(target.value as FieldType)}
      />
      <div className={styles['wide']}>
        <TextField
          name={`${path}.description`}
          label={words.description}
          defaultValue={given?.description}
          maxLength={500}
          required
        />
      </div>
      {type === 'enum' && (
        <div className={styles['wide']}>
          <TextAreaField
            name={`${path}.options`}
            label={words.options}
            hint={words.optionsHint}
            defaultValue={given?.options?.join('\n')}
            rows={3}
            required
          />
        </div>
      )}
      {(type === 'integer' || type === 'number') &&
        (['minimum', 'maximum'] as const).map((limit) => (
          <TextField
            key={limit}
            name={`${path}.${limit}`}
            label={words[limit]}
            type="number"
            step="any"
            isOptional
            defaultValue={given?.[limit]}
          />
        ))}
      <div className={styles['wide']}>
        <CheckField name={`${path}.evidence`} label={words.evidence} defaultChecked={given?.evidence ?? true} />
      </div>
    </div>
  );
}
