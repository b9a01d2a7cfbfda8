/** Selects the columns of a list. The selection is stored in the URL and in the browser. */
import { Columns3 } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '../components/button.tsx';
import type { Column } from '../components/data-table.tsx';
import { CheckField } from '../components/field.tsx';
import { Popover } from '../components/menu.tsx';
import { savePreferences, usePreferences } from '../format/preferences.ts';
import { texts } from '../texts/index.ts';
import { useFilterChange } from './filter-bar.tsx';
import styles from './list.module.css';

const words = texts.lists;

type ListName = 'sessions' | 'deliveries';

/** Returns the shown columns. @param inUrl the columns in the URL. They override those stored in the browser. */
export function useColumns<Row>(name: ListName, all: readonly Column<Row>[], inUrl: readonly string[] | undefined) {
  const { columns } = usePreferences();
  const chosen = inUrl ?? columns[name];
  return useMemo(
    () => all.filter(({ key, isWide, isExtra }) => isWide || (chosen ? chosen.includes(key) : !isExtra)),
    [all, chosen],
  );
}

interface ColumnPickerProps<Row> {
  name: ListName;
  /** All columns. The wide column contains the row's link and is always shown. */
  all: readonly Column<Row>[];
  shown: readonly Column<Row>[];
}

export function ColumnPicker<Row>({ name, all, shown }: ColumnPickerProps<Row>) {
  const change = useFilterChange(`/${name}`);
  const { columns } = usePreferences();
  const choose = (keys: readonly string[] | undefined) => {
    savePreferences({ columns: { ...columns, [name]: keys } });
    change('columns', keys);
  };
  const keys = shown.flatMap(({ key, isWide }) => (isWide ? [] : key));
  const toggle = (key: string) => choose(keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]);
  return (
    <Popover
      isIcon
      label={words.columns}
      panel={() => (
        <div className={`stack ${styles['panel']}`}>
          {all.map(
            ({ key, title, isWide }) =>
              !isWide && (
                <CheckField
                  key={key}
                  name={key}
                  label={title}
                  checked={keys.includes(key)}
                  onChange={() => toggle(key)}
                />
              ),
          )}
          <Button onClick={() => choose(undefined)}>{words.resetColumns}</Button>
        </div>
      )}
    >
      <Columns3 size={14} aria-hidden />
    </Popover>
  );
}
