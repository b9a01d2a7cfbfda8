/** The content of the palette: searches pages, assistants and conversations, and opens a pasted ID. */
import { Autocomplete } from '@base-ui/react/autocomplete';
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
          <Autocomplete.Item key={index} value={entry} className={styles['item']} onClick={() => run(entry)}>
            <bdi>{entry.label}</bdi>
            <span className={styles['kind']}>{entry.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
