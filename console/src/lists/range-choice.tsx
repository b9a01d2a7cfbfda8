/** The period of a list: a named range that ends now, or two times. */
import { useState, type SyntheticEvent } from 'react';
import { Button } from '../components/button.tsx';
import { Choice, optionsOf } from '../components/choice.tsx';
import { serverNow } from '../format/clock.ts';
import { fromTimeInput, nameOfZone, toTimeInput } from '../format/times.ts';
import { texts } from '../texts/index.ts';
import styles from './filter-bar.module.css';
import { RANGES, toMoments, type RangeSearch } from './search.ts';

const words = texts.lists;

interface RangeChoiceProps {
  search: RangeSearch;
  onChange: (name: string, value: string | undefined) => void;
}

export function RangeChoice({ search, onChange }: RangeChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const hasTimes = search.range === undefined && (search.created_after ?? search.created_before) !== undefined;
  const isCustom = isOpen || hasTimes;
  const choose = (value: string) => {
    setOpen(value === 'custom');
    if (value !== 'custom') onChange('range', value);
    // The custom range starts with the times of the named range.
    else if (search.range) onChange('created_after', toMoments(search).created_after);
  };
  return (
    <>
      <Choice
        label={words.range}
        value={isCustom ? 'custom' : (search.range ?? '')}
        options={[{ value: '', label: words.ranges.all }, ...optionsOf([...RANGES, 'custom'], words.ranges)]}
        onChoose={choose}
      />
      {isCustom && <Times search={search} onChange={onChange} />}
    </>
  );
}

type TimeName = 'created_after' | 'created_before';

/** Runs after the click or key that moves the focus: if the page moved before, the click would miss its target. */
function afterRelease(act: () => void): void {
  const listening = new AbortController();
  const run = () => {
    listening.abort();
    setTimeout(act);
  };
  for (const type of ['pointerup', 'keyup']) addEventListener(type, run, { signal: listening.signal });
}

function Times({ search, onChange }: RangeChoiceProps) {
  const [opened, setOpened] = useState<TimeName>();
  /** The time that was left, or submitted, without all of its parts. */
  const [incomplete, setIncomplete] = useState<TimeName>();
  const isShown = (name: TimeName) => search[name] !== undefined || opened === name;
  const input = (name: TimeName) => {
    const moment = search[name];
    // Safari shows the present time in an empty input.
    if (!isShown(name)) {
      return (
        <Button key={name} onClick={() => setOpened(name)}>
          {words.times[name]}: {words.anyTime}
        </Button>
      );
    }
    const shown = moment === undefined ? '' : toTimeInput(moment);
    const commit = ({ type, currentTarget: { value, validity } }: SyntheticEvent<HTMLInputElement>) => {
      const isLeft = type === 'blur';
      const isMissing = value === '' && shown === '' && !isLeft;
      const settle = () => {
        setIncomplete(isMissing || !validity.valid ? name : undefined);
        if (isLeft && value === '' && validity.valid) setOpened((now) => (now === name ? undefined : now));
      };
      if (isLeft) afterRelease(settle);
      else settle();
      if (value === shown || !validity.valid) return;
      onChange(name, value === '' ? undefined : fromTimeInput(value));
    };
    return (
      <label key={name} className={styles['chip']}>
        {words.times[name]}
        <input
          key={shown}
          autoFocus={opened === name}
          type="datetime-local"
          min="1970-01-01T00:00"
          max="9999-12-31T23:59"
          defaultValue={shown}
          data-empty={shown === '' || undefined}
          aria-invalid={incomplete === name}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit(event)}
        />
      </label>
    );
  };
  return (
    <>
      {input('created_after')}
      {input('created_before')}
      {incomplete && isShown(incomplete) && (
        <span role="alert" className={styles['incomplete']}>
          {words.incompleteTime}
        </span>
      )}
      <span className="note">{nameOfZone(serverNow())}</span>
    </>
  );
}
