/** The content of the palette: searches pages, assistants and conversations, and opens a pasted ID. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Fragment } from 'react';
import { Said } from '../components/said.tsx';
import { texts } from '../texts/index.ts';
import styles from './palette.module.css';
import { useEntries, type Entry } from './use-entries.ts';

export interface PaletteProps {
  text: string;
  onType: (text: string) => void;
  onClose: () => void;
}

export function Palette({ text, onType, onClose }: PaletteProps) {
  const entries = useEntries(text);
  const run = (entry: Entry) => {
    onClose();
    entry.run();
  };
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      autoHighlight="always"
      keepHighlight
      items={entries}
      value={text}
      onValueChange={onType}
      itemToStringValue={({ label }: Entry) => label}
    >
      <Autocomplete.Input
        className={styles['input']}
        aria-label={texts.shell.palette.title}
        placeholder={texts.shell.palette.placeholder}
        autoFocus
      />
      <Autocomplete.List className={styles['list']} aria-label={texts.shell.palette.title}>
        {(entry: Entry, index: number) => (
          <Fragment key={index}>
            {entry.kind !== entries[index - 1]?.kind && (
              <div className={styles['kind']} aria-hidden>
                {entry.kind}
              </div>
            )}
            <Autocomplete.Item value={entry} className={styles['item']} onClick={() => run(entry)}>
              {entry.icon && <entry.icon size={16} aria-hidden />}
              <bdi>{entry.label}</bdi>
              <span className="visually-hidden"> {entry.kind}</span>
              {entry.said && (
                <span className={styles['said']} dir="auto">
                  {typeof entry.said === 'string' ? entry.said : <Said hit={entry.said} />}
                </span>
              )}
            </Autocomplete.Item>
          </Fragment>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
