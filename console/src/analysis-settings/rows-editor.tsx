/** A list of items in a form: rows of inputs that can be added, moved and removed. */
import { ArrowDown, ArrowUp, Plus, Trash2, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, type MouseEvent, type MouseEventHandler, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import fieldStyles from '../components/field.module.css';
import styles from './rows-editor.module.css';

interface RowsEditorProps<T> {
  title: string;
  words: {
    hint: string;
    add: string;
    /** Omitted if the order does not matter. */
    up?: (number: number) => string;
    down?: (number: number) => string;
    remove: (number: number) => string;
  };
  max: number;
  given: readonly T[];
  /** Returns the inputs of a row. @param item undefined: the row was added. */
  children: (item: T | undefined, index: number) => ReactNode;
}

export function RowsEditor<T>({ title, words, max, given, children }: RowsEditorProps<T>) {
  // The key stays the same when the row moves: typed text moves with it.
  const [rows, setRows] = useState<{ key: number; item?: T }[]>(() => given.map((item, key) => ({ key, item })));
  const list = useRef<HTMLOListElement>(null);
  // Adding, removing or moving a row is also an input of the form.
  useEffect(() => void list.current?.dispatchEvent(new Event('input', { bubbles: true })), [rows]);
  const add = () => setRows([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1 }]);
  const move = (index: number, by: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    const [row] = rows.slice(index, index + 1);
    if (row) setRows(rows.toSpliced(index, 1).toSpliced(index + by, 0, row));
    // Moving the row in the page removes the focus.
    requestAnimationFrame(() => button.focus());
  };
  return (
    <fieldset className={styles['list']}>
      <legend className={fieldStyles['label']}>{title}</legend>
      <p className="note">{words.hint}</p>
      <ol ref={list} className={styles['rows']}>
        {rows.map(({ key, item }, index) => (
          <li key={key} className={styles['row']}>
            <div className={styles['inputs']}>{children(item, index)}</div>
            <div className={styles['tools']}>
              {words.up && (
                <Tool icon={ArrowUp} label={words.up(index + 1)} disabled={index === 0} onClick={move(index, -1)} />
              )}
              {words.down && (
                <Tool
                  icon={ArrowDown}
                  label={words.down(index + 1)}
                  disabled={index === rows.length - 1}
                  onClick={move(index, 1)}
                />
              )}
              <Tool icon={Trash2} label={words.remove(index + 1)} onClick={() => setRows(rows.toSpliced(index, 1))} />
            </div>
          </li>
        ))}
      </ol>
      <Button size="small" onClick={add} disabled={rows.length >= max}>
        <Plus size={14} aria-hidden />
        {words.add}
      </Button>
    </fieldset>
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
