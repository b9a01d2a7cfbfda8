/** A list of items in a form: a table whose rows open, and can be added, moved and removed. */
import { ArrowDown, ArrowUp, Plus, Trash2, type LucideIcon } from 'lucide-react';
import { useContext, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { readForm } from '../components/form-values.ts';
import { OpenParts } from '../components/part.tsx';
import { readRows } from './read-fields.ts';
import styles from './rows-editor.module.css';

interface RowsEditorProps<T> {
  /** The path of the list in the request, which the names of the inputs begin with. */
  name: string;
  title: string;
  words: {
    add: string;
    /** Omitted if the order does not matter. */
    up?: (number: number) => string;
    down?: (number: number) => string;
    remove: (number: number) => string;
  };
  /** The titles of the columns of a closed row. */
  heads?: readonly string[];
  max: number;
  given: readonly T[];
  /** Returns what a closed row shows. @param row the item, or what was typed into its inputs. */
  describe: (row: { [Key in keyof T]?: T[Key] | string }) => ReactNode;
  /** Returns the inputs of a row. @param item undefined: the row was added. */
  children: (item: T | undefined, index: number) => ReactNode;
}

export function RowsEditor<T>({ name, title, words, heads, max, given, describe, children }: RowsEditorProps<T>) {
  // The key stays the same when the row moves: typed text moves with it.
  const [rows, setRows] = useState<{ key: number; item?: T }[]>(() => given.map((item, key) => ({ key, item })));
  const [typed, setTyped] = useState<Record<string, string>[]>([]);
  const open = useContext(OpenParts);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // Adding, removing or moving a row is also an input of the form.
    list.current?.dispatchEvent(new Event('input', { bubbles: true }));
    setTyped(readTyped(list.current, name));
  }, [rows, name]);
  const add = () => setRows([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1 }]);
  const move = (index: number, by: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    const [row] = rows.slice(index, index + 1);
    if (row) setRows(rows.toSpliced(index, 1).toSpliced(index + by, 0, row));
    // Moving the row in the page removes the focus.
    requestAnimationFrame(() => button.focus());
  };
  return (
    <fieldset className={styles['list']} aria-label={title}>
      <div className={styles['rows']}>
        {heads && (
          <div className={`${styles['row']} ${styles['head']}`} aria-hidden>
            {heads.map((head) => (
              <span key={head}>{head}</span>
            ))}
          </div>
        )}
        <ol ref={list} onBlur={() => setTyped(readTyped(list.current, name))}>
          {rows.map(({ key, item }, index) => (
            <li key={key}>
              <details
                open={open?.get(`${name}.${key}`) ?? item === undefined}
                onToggle={({ currentTarget }) => open?.set(`${name}.${key}`, currentTarget.open)}
              >
                <summary className={styles['row']}>{describe({ ...item, ...typed[index] })}</summary>
                <div className={styles['inputs']}>
                  {children(item, index)}
                  <div className="row">
                    {words.up && (
                      <Tool
                        icon={ArrowUp}
                        label={words.up(index + 1)}
                        disabled={index === 0}
                        onClick={move(index, -1)}
                      />
                    )}
                    {words.down && (
                      <Tool
                        icon={ArrowDown}
                        label={words.down(index + 1)}
                        disabled={index === rows.length - 1}
                        onClick={move(index, 1)}
                      />
                    )}
                    <Tool
                      icon={Trash2}
                      label={words.remove(index + 1)}
                      onClick={() => setRows(rows.toSpliced(index, 1))}
                    />
                  </div>
                </div>
              </details>
            </li>
          ))}
        </ol>
      </div>
      <Button size="small" onClick={add} disabled={rows.length >= max}>
        <Plus size={14} aria-hidden />
        {words.add}
      </Button>
    </fieldset>
  );
}

function readTyped(list: HTMLElement | null, name: string) {
  const form = list?.closest('form');
  return form ? readRows(readForm(form), name) : [];
}

interface ToolProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
}

const Tool = ({ icon: Icon, ...button }: ToolProps) => (
  <Button size="small" isIcon {...button}>
    <Icon size={14} aria-hidden />
  </Button>
);
