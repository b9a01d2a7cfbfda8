/** The period of a list: a named range that ends now, or two times. */
import { useState, type SyntheticEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { serverNow } from '../../format/clock.ts';
import { usePreferences } from '../../format/preferences.ts';
import { fromTimeInput, nameOfZone, toTimeInput } from '../../format/times.ts';
import { texts } from '../../texts/index.ts';
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

function Times({ search, onChange }: RangeChoiceProps) {
  const { timeZone } = usePreferences();
  const [opened, setOpened] = useState<TimeName>();
  const input = (name: TimeName) => {
    const moment = search[name];
    // Safari shows the present time in an empty input.
    if (moment === undefined && opened !== name) {
      return (
        <Button key={name} onClick={() => setOpened(name)}>
          {words.times[name]}: {words.anyTime}
        </Button>
      );
    }
    const shown = moment === undefined ? '' : toTimeInput(moment, timeZone);
    const commit = ({ currentTarget: { value, validity } }: SyntheticEvent<HTMLInputElement>) => {
      if (value === shown || !validity.valid) return;
      onChange(name, value === '' ? undefined : fromTimeInput(value, timeZone));
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
      <span className="note">{nameOfZone(timeZone, serverNow())}</span>
    </>
  );
}
