/** Selects the columns of a list. The selection is stored in the URL and in the browser. */
import { Columns3 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../components/button.tsx';
import type { Column } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CheckField, Fields } from '../components/field.tsx';
import { Nothing } from '../components/values.tsx';
import { isShown } from '../format/metadata.ts';
import { savePreferences, usePreferences } from '../format/preferences.ts';
import { texts } from '../texts/index.ts';
import { useFilterChange } from './filter-bar.tsx';
import styles from './list.module.css';

const words = texts.lists;

/** Prefix of the key of a metadata column. */
const METADATA = 'metadata.';

type MetadataOf<Row> = (row: Row) => Record<string, string>;

interface Choice<Row> {
  name: 'sessions' | 'deliveries';
  /** All columns. The wide column contains the row's link and is always shown. */
  all: readonly Column<Row>[];
  metadataOf?: MetadataOf<Row> | undefined;
}

/** Returns the shown columns. @param inUrl the columns in the URL. They override those stored in the browser. */
export function useColumns<Row>({ name, all, metadataOf }: Choice<Row>, inUrl: readonly string[] | undefined) {
  const { columns } = usePreferences();
  const chosen = inUrl ?? columns[name];
  return useMemo(() => {
    if (chosen === undefined) return all.filter(({ isExtra }) => !isExtra);
    const pairs = metadataOf ? chosen.filter((key) => key.startsWith(METADATA)) : [];
    return all.flatMap((column) => {
      if (column.isWide) return [column, ...pairs.map((key) => metadataColumn(key, metadataOf))];
      return chosen.includes(column.key) ? [column] : [];
    });
  }, [all, chosen, metadataOf]);
}

function metadataColumn<Row>(key: string, metadataOf?: MetadataOf<Row>): Column<Row> {
  const title = key.slice(METADATA.length);
  const cell = (row: Row) => {
    const value = metadataOf?.(row)[title];
    return value === undefined ? (
      <Nothing />
    ) : (
      <span className={`cut ${styles['pair']}`} dir="auto" title={value}>
        {value}
      </span>
    );
  };
  return { key, title, cell, isSecondary: true };
}

interface ColumnPickerProps<Row> extends Choice<Row> {
  shown: readonly Column<Row>[];
  /** The loaded rows. Their metadata keys are offered as columns. */
  rows: readonly Row[];
}

export function ColumnPicker<Row>({ name, all, shown, rows, metadataOf }: ColumnPickerProps<Row>) {
  const [isOpen, setOpen] = useState(false);
  const change = useFilterChange(`/${name}`);
  const { columns } = usePreferences();
  const choose = (keys: readonly string[] | undefined) => {
    savePreferences({ columns: { ...columns, [name]: keys } });
    change('columns', keys);
  };
  const shownKeys = shown.map(({ key }) => key);
  const toggle = (key: string) =>
    choose(shownKeys.includes(key) ? shownKeys.filter((each) => each !== key) : [...shownKeys, key]);
  const found = metadataOf ? rows.flatMap((row) => Object.keys(metadataOf(row)).filter(isShown)) : [];
  const pairs = [
    ...new Set([...shownKeys.filter((key) => key.startsWith(METADATA)), ...found.map((key) => METADATA + key)]),
  ];
  const check = (key: string, label: string) => (
    <CheckField key={key} name={key} label={label} checked={shownKeys.includes(key)} onChange={() => toggle(key)} />
  );
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <Columns3 size={14} aria-hidden />
        {words.columns}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={words.columns}>
        <Fields>
          {all.filter(({ isWide }) => !isWide).map(({ key, title }) => check(key, title))}
          {pairs.length > 0 && <h3>{texts.sessions.metadata}</h3>}
          {pairs.sort().map((key) => check(key, key.slice(METADATA.length)))}
          <div className="row">
            <Button onClick={() => choose(undefined)}>{words.resetColumns}</Button>
          </div>
        </Fields>
      </Dialog>
    </>
  );
}
