/** A filter with two lists: what can be asked, such as the questions of an assistant, and its values with their counts. */
import { useQuery } from '@tanstack/react-query';
import { countSessionsOptions } from 'conversation-analysis-client/react-query';
import { ChevronRight, Plus } from 'lucide-react';
import { useState } from 'react';
import { Loaded } from '../components/loaded.tsx';
import { Popover } from '../components/menu.tsx';
import { formatNumber } from '../format/numbers.ts';
import styles from './values-filter.module.css';

interface Value {
  label: string;
  /** Undefined if it is not counted. */
  count?: number;
  isChosen: boolean;
  choose: () => void;
}

export interface Asked {
  key: string;
  label: string;
  /** The heading of the first of a group, such as the name of an assistant. */
  group?: string | undefined;
  /** The question in full. */
  hint?: string | undefined;
  /** Counts the sessions by value: all other conditions of the list, and `group_by`. */
  query: Record<string, unknown>;
  valuesOf: (counted: readonly { value: string | null; count: number }[]) => Value[];
}

/** @param asked in its order; the first one is open. Without any, there is no filter. */
export function ValuesFilter({ label, asked }: { label: string; asked: readonly Asked[] }) {
  if (asked.length === 0) return null;
  return (
    <Popover panel={() => <Panel label={label} asked={asked} />}>
      <Plus size={14} aria-hidden />
      <span className={`cut ${styles['label']}`} title={label}>
        {label}
      </span>
    </Popover>
  );
}

function Panel({ label, asked }: { label: string; asked: readonly Asked[] }) {
  const [key, setKey] = useState(asked[0]?.key);
  const open = asked.find((each) => each.key === key) ?? asked[0];
  return (
    <div className={styles['panel']}>
      <ul className={styles['list']} aria-label={label}>
        {asked.map((each) => (
          <li key={each.key}>
            {each.group && <strong>{each.group}</strong>}
            <button type="button" aria-pressed={each === open} onClick={() => setKey(each.key)}>
              <span dir="auto">{each.label}</span>
              <ChevronRight size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {open && <Values key={open.key} asked={open} />}
    </div>
  );
}

function Values({ asked: { label, hint, query, valuesOf } }: { asked: Asked }) {
  const counted = useQuery(countSessionsOptions({ query }));
  return (
    <div className={styles['values']}>
      {hint && (
        <p className="note" dir="auto">
          {hint}
        </p>
      )}
      <Loaded query={counted}>
        {({ total, groups = [] }) => (
          <ul className={styles['list']} aria-label={label}>
            {valuesOf(groups).map((value) => (
              <li key={value.label}>
                <button type="button" aria-pressed={value.isChosen} onClick={value.choose}>
                  <span className="cut" dir="auto" title={value.label}>
                    {value.label}
                  </span>
                  {value.count !== undefined && (
                    <>
                      <span>{formatNumber(value.count)}</span>
                      <progress max={Math.max(1, total)} value={value.count} aria-hidden />
                    </>
                  )}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}
