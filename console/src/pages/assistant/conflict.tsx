import type { Assistant } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { FormButtons } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import { settingRows, settingsOf } from '../../analysis-settings/setting-rows.tsx';
import styles from './conflict.module.css';

const words = texts.assistant;

interface ConflictProps {
  before: Assistant;
  after: Assistant;
  onDiscard: () => void;
  onKeep: () => void;
}

const UNVERSIONED = Object.keys(words.unversioned) as (keyof typeof words.unversioned)[];

const print = (value: Assistant[keyof typeof words.unversioned]) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** Shows what someone else has changed. */
export function Conflict({ before, after, onDiscard, onKeep }: ConflictProps) {
  const rows = [
    ...UNVERSIONED.map((name) => {
      const cells = [print(before[name]), print(after[name])];
      return { key: name, title: words.unversioned[name], cells, isDifferent: cells[0] !== cells[1] };
    }),
    ...settingRows(before, after, settingsOf(after.type)),
  ].filter(({ isDifferent }) => isDifferent);
  const changed = words.changedElsewhere(rows.map(({ title }) => title).join(', '));
  return (
    <div className={styles['conflict']} role="alert">
      <p>{changed}</p>
      <Comparison caption={changed} heads={texts.compare.heads} rows={rows} />
      <FormButtons>
        <Button onClick={onKeep}>{words.keepEdits}</Button>
        <Button onClick={onDiscard}>{words.discardEdits}</Button>
      </FormButtons>
    </div>
  );
}
