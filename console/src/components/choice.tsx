import type { ComponentProps } from 'react';
import styles from './control.module.css';

export interface Option {
  value: string;
  label: string;
}

/** Returns the values as options. */
export const optionsOf = <Value extends string>(values: readonly Value[], labels: Record<Value, string>): Option[] =>
  values.map((value) => ({ value, label: labels[value] }));

/** A select outside a form, such as a filter. The label is for screen readers. */
export const Choice = ({
  label,
  options,
  ...control
}: { label: string; options: readonly Option[] } & ComponentProps<'select'>) => (
  <select aria-label={label} className={`${styles['control']} ${styles['compact']}`} {...control}>
    {toOptions(options)}
  </select>
);

export const toOptions = (options: readonly Option[]) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
