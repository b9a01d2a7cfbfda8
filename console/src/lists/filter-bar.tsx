/** The filters of a list: a chip per filter, and a menu that adds filters. */
import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState, type ComponentProps, type SyntheticEvent } from 'react';
import { Button } from '../components/button.tsx';
import { Choice, toOptions, type Option } from '../components/choice.tsx';
import { texts } from '../texts/index.ts';
import { FILTER_LABELS } from './batch-filter.ts';
import styles from './filter-bar.module.css';
import { isFiltered, withoutFilters } from './search.ts';

const words = texts.lists;

export interface Filter extends Pick<ComponentProps<'input'>, 'inputMode' | 'pattern' | 'placeholder'> {
  /** The name of the search parameter. */
  name: string;
  /** Default: as in the conditions of a batch. */
  label?: string;
  /** Without options, the filter is a text input. */
  options?: readonly Option[];
  /** The filter is set only by links. Its chip can be removed but not edited. */
  isFixed?: boolean;
}

/** By name: other filters that a change of this filter removes. */
const DEPENDENT_FILTERS: Record<string, object> = {
  range: { created_after: undefined, created_before: undefined },
  created_after: { range: undefined },
  created_before: { range: undefined },
  assistant_id: { assistant_version: undefined, field: undefined },
};

/** Returns a function that sets a filter and removes the filters that depend on its previous value. */
export function useFilterChange(to: '/sessions' | '/deliveries' | '/experiments') {
  const navigate = useNavigate();
  return (name: string, value: string | readonly string[] | undefined) =>
    void navigate({
      to,
      search: (current: object) => ({ ...current, ...DEPENDENT_FILTERS[name], [name]: value }),
      // Typing and changes of columns add no entries to the browser's history.
      replace: name === 'q' || name === 'columns',
    });
}

interface FilterBarProps {
  filters: readonly Filter[];
  search: Record<string, unknown>;
  onChange: (name: string, value: string | undefined) => void;
}

export function FilterBar({ filters, search, onChange }: FilterBarProps) {
  const navigate = useNavigate();
  /** The name of a new filter that has no value yet. */
  const [added, setAdded] = useState<string>();
  const shown = filters.filter(({ name }) => search[name] !== undefined || name === added);
  const others = filters.filter((filter) => !shown.includes(filter) && !filter.isFixed);
  const change = (name: string, value: string | undefined) => {
    setAdded(undefined);
    onChange(name, value);
  };
  return (
    <>
      {shown.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          value={search[filter.name] === undefined ? '' : String(search[filter.name])}
          isNew={filter.name === added}
          onChange={change}
        />
      ))}
      {others.length > 0 && (
        <Choice
          label={words.addFilter}
          value=""
          options={[
            { value: '', label: `+ ${words.addFilter}` },
            ...others.map(({ name, label = FILTER_LABELS[name] ?? name }) => ({ value: name, label })),
          ]}
          onChoose={setAdded}
        />
      )}
      {/* The only filter has its own button. */}
      {filters.length > 1 && isFiltered(search) && (
        <Button look="quiet" size="small" onClick={() => void navigate({ to: '.', search: withoutFilters })}>
          {words.clear}
        </Button>
      )}
    </>
  );
}

interface ChipProps {
  filter: Filter;
  value: string;
  /** Whether the filter was just added. Its input then receives the focus. */
  isNew: boolean;
  onChange: FilterBarProps['onChange'];
}

/** One filter, as in "Delivery: Failed ✕". */
function Chip({
  filter: { name, label = FILTER_LABELS[name] ?? name, options, isFixed = false, ...input },
  value,
  isNew,
  onChange,
}: ChipProps) {
  const fixed = options?.find((option) => option.value === value)?.label ?? value;
  // Of a deleted assistant, only the ID is known.
  const unknown = value === '' || options?.some((option) => option.value === value) ? [] : [{ value, label: value }];
  const commit = ({ currentTarget: { value: typed, validity } }: SyntheticEvent<HTMLInputElement>) => {
    if (typed.trim() !== value && validity.valid) onChange(name, typed.trim());
  };
  return (
    <span className={styles['chip']}>
      <span aria-hidden>{label}:</span>
      {isFixed ? (
        <bdi className="cut" title={fixed}>
          {fixed}
        </bdi>
      ) : options ? (
        <select
          aria-label={label}
          value={value}
          autoFocus={isNew}
          onChange={({ target }) => onChange(name, target.value)}
        >
          {toOptions([{ value: '', label: words.any }, ...unknown, ...options])}
        </select>
      ) : (
        <input
          key={value}
          aria-label={label}
          dir="auto"
          name={name}
          defaultValue={value}
          autoFocus={isNew}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit(event)}
          {...input}
        />
      )}
      <Button
        look="quiet"
        size="small"
        isIcon
        label={words.removeFilter(label)}
        onClick={() => onChange(name, undefined)}
      >
        <X size={13} aria-hidden />
      </Button>
    </span>
  );
}
