/** The filters of a list: a panel with all of them, and a chip for each that is set. */
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { SyntheticEvent } from 'react';
import { Button } from '../components/button.tsx';
import { Columns, SelectField, TextField } from '../components/field.tsx';
import { Popover } from '../components/menu.tsx';
import { Chip } from '../fields/chip.tsx';
import { texts } from '../texts/index.ts';
import { FILTER_LABELS, useFactOf, type Filter } from './batch-filter.ts';
import styles from './list.module.css';
import { parsePairs, printPairs, withoutFilters } from './search.ts';

const words = texts.lists;

/** By name: other filters that a change of this filter removes. */
const DEPENDENT_FILTERS: Record<string, object> = {
  range: { created_after: undefined, created_before: undefined },
  created_after: { range: undefined },
  created_before: { range: undefined },
  assistant_id: { assistant_version: undefined, field: undefined, values: undefined, corrected: undefined },
};

type Value = string | readonly string[] | undefined;

/** Returns a function that sets a filter and removes the filters that depend on its previous value. */
export function useFilterChange(to: '/sessions' | '/deliveries' | '/experiments') {
  const navigate = useNavigate();
  return (name: string, value: Value, others?: Record<string, Value>) =>
    void navigate({
      to,
      search: (current: object) => ({ ...current, ...DEPENDENT_FILTERS[name], [name]: value, ...others }),
      // Typing and changes of columns add no entries to the browser's history.
      replace: name === 'q' || name === 'columns',
    });
}

interface FilterBarProps {
  filters: readonly Filter[];
  search: Record<string, string | number | readonly string[] | undefined>;
  onChange: (name: string, value: Value) => void;
  label?: string;
}

export function FilterBar({ filters, search, onChange, label = words.addFilter }: FilterBarProps) {
  const rare = filters.filter(({ isRare }) => isRare);
  const controls = (shown: readonly Filter[]) => (
    <Columns>
      {shown.map(({ isRare: _, ...filter }) => (
        <Control
          key={filter.name}
          {...filter}
          value={String(search[filter.name] ?? '')}
          onChoose={(value) => onChange(filter.name, value || undefined)}
        />
      ))}
    </Columns>
  );
  return (
    <>
      <Popover
        panel={() => (
          <div className={styles['panel']}>
            {controls(filters.filter(({ isRare }) => !isRare))}
            {rare.length > 0 && (
              <details>
                <summary className="note">{words.rarely}</summary>
                {controls(rare)}
              </details>
            )}
          </div>
        )}
      >
        <Plus size={14} aria-hidden />
        {label}
      </Popover>
      <FilterChips {...{ filters, search, onChange }} />
    </>
  );
}

function Control({
  name,
  label = FILTER_LABELS[name] ?? name,
  options,
  value,
  onChoose,
  ...input
}: Filter & { value: string; onChoose: (value: string) => void }) {
  const field = { name, label, isOptional: false };
  if (options) {
    const any = { value: '', label: words.any };
    return (
      <SelectField
        {...field}
        value={value}
        options={[any, ...options]}
        onChange={({ target }) => onChoose(target.value)}
      />
    );
  }
  const commit = ({ currentTarget: { value: typed, validity } }: SyntheticEvent<HTMLInputElement>) => {
    if (typed.trim() !== value && validity.valid) onChoose(typed.trim());
  };
  return (
    <TextField
      key={value}
      {...field}
      {...input}
      defaultValue={value}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit(event)}
    />
  );
}

/** Search parameters that have their own controls. */
const WITHOUT_CHIP = ['q', 'range', 'created_after', 'created_before', 'assistant_id', 'sort', 'columns', 'include'];

interface ChipsProps extends Omit<FilterBarProps, 'filters' | 'label'> {
  filters?: readonly Filter[];
  names?: readonly string[];
}

/** A chip for each condition, as in "Delivery: Failed ✕". @param names default: all that have no control of their own */
export function FilterChips({ filters = [], search, names, onChange }: ChipsProps) {
  const navigate = useNavigate();
  const factOf = useFactOf(search);
  const chips = Object.entries(search).flatMap(([name, value]): [text: string, name: string, left: Value][] => {
    if (value === undefined || (names ? !names.includes(name) : WITHOUT_CHIP.includes(name))) return [];
    if (name === 'field') {
      const conditions = [value].flat().map(String);
      return conditions.map((each) => [
        factOf(name, each)[1],
        name,
        conditions.length > 1 ? conditions.filter((other) => other !== each) : undefined,
      ]);
    }
    if (name === 'metadata') {
      const pairs = parsePairs(String(value));
      return pairs.map((pair) => [pair.join(': '), name, printPairs(pairs.filter((other) => other !== pair))]);
    }
    const { label, options } = filters.find((filter) => filter.name === name) ?? {};
    const [term, printed] = factOf(name, value);
    const chosen = options?.find((option) => option.value === String(value))?.label ?? printed;
    return [[`${label ?? term}: ${chosen}`, name, undefined]];
  });
  return (
    <>
      {chips.length > 0 && (
        <ul className="row" aria-label={words.filters}>
          {chips.map(([text, name, left]) => (
            <Chip key={`${name} ${text}`} text={text} onRemove={() => onChange(name, left)} />
          ))}
        </ul>
      )}
      {!names && chips.length > 1 && (
        <Button onClick={() => void navigate({ to: '.', search: withoutFilters })}>{words.clear}</Button>
      )}
    </>
  );
}
