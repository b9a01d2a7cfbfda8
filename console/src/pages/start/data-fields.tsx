/** The data of a conversation, such as its agent: inputs for the keys of the workspace, and for other keys. */
import { useState } from 'react';
import { Plus } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { Columns, TextField } from '../../components/field.tsx';
import { useDataKeys } from '../../lists/data-keys.ts';
import { texts } from '../../texts/index.ts';
import styles from './start.module.css';

const words = texts.start.data;

/** Number of keys of the workspace that have an input. */
const SHOWN_KEYS = 3;
const KNOWN = 'metadata.';

export function DataFields() {
  const keys = useDataKeys().keys.slice(0, SHOWN_KEYS);
  const [added, setAdded] = useState(0);
  return (
    <div className={styles['data']}>
      <Columns>
        {keys.map((key) => (
          <TextField key={key} name={KNOWN + key} label={key} />
        ))}
        {Array.from({ length: added }, (_, index) => [
          <TextField key={`key ${index}`} name={`key ${index}`} label={words.key} autoFocus />,
          <TextField key={`value ${index}`} name={`value ${index}`} label={words.value} />,
        ])}
      </Columns>
      <Button onClick={() => setAdded(added + 1)}>
        <Plus size={14} aria-hidden />
        {texts.sessions.metadata}
      </Button>
    </div>
  );
}

/** Returns the data in the values of a form. */
export function readData(values: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(values).map(([name, value]): [key: string, value: string] => {
    if (name.startsWith(KNOWN)) return [name.slice(KNOWN.length), value];
    return name.startsWith('key ') ? [value.trim(), values[name.replace('key', 'value')] ?? ''] : ['', ''];
  });
  return Object.fromEntries(pairs.filter(([key, value]) => key !== '' && value !== ''));
}
