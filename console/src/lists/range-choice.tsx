/** The period of a list: a named range, or two times. */
import { useState, type SyntheticEvent } from 'react';
import { Choice, optionsOf } from '../components/choice.tsx';
import { serverNow } from '../format/clock.ts';
import { fromTimeInput, nameOfZone, toTimeInput } from '../format/times.ts';
import { texts } from '../texts/index.ts';
import styles from '../components/control.module.css';
import { RANGES, toMoments, type RangeSearch } from './search.ts';

const words = texts.lists;

interface RangeChoiceProps {
  search: RangeSearch;
  onChange: (name: string, value: string | undefined, others?: Record<string, string | undefined>) => void;
}

export function RangeChoice({ search, onChange }: RangeChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const hasTimes = search.range === undefined && (search.created_after ?? search.created_before) !== undefined;
  const isCustom = isOpen || hasTimes;
  const choose = (value: string) => {
    setOpen(value === 'custom');
    if (value !== 'custom') onChange('range', value);
    // The custom range starts with the times of the named range.
    else if (search.range) {
      const { created_after, created_before } = toMoments(search);
      onChange('created_after', created_after, { created_before });
    }
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

function Times({ search, onChange }: RangeChoiceProps) {
  return (
    <>
      {(['created_after', 'created_before'] as const).map((name) => {
        const moment = search[name];
        const shown = moment === undefined ? '' : toTimeInput(moment);
        /** An incomplete time changes nothing. */
        const commit = ({ currentTarget: { value, validity } }: SyntheticEvent<HTMLInputElement>) => {
          if (value !== shown && validity.valid) onChange(name, value === '' ? undefined : fromTimeInput(value));
        };
        return (
          <label key={name} className="row note">
            {words.times[name]}
            <input
              key={shown}
              className={`${styles['control']} ${styles['compact']}`}
              style={{ maxWidth: 'none' }}
              type="datetime-local"
              min="1970-01-01T00:00"
              max="9999-12-31T23:59"
              defaultValue={shown}
              onBlur={commit}
              onKeyDown={(event) => event.key === 'Enter' && commit(event)}
            />
          </label>
        );
      })}
      <span className="note">{nameOfZone(serverNow())}</span>
    </>
  );
}
