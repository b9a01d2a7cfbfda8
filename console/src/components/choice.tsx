import type { ComponentProps } from 'react';
import styles from './control.module.css';

export interface Option {
  value: string;
  label: string;
}

/** A choice outside a form, for instance a filter; its label is said, and shown as the first option. */
export function Choice({
  label,
  options,
  ...control
}: { label: string; options: readonly Option[] } & ComponentProps<'select'>) {
  return (
    <select aria-label={label} className={`${styles['control']} ${styles['compact']}`} {...control}>
      {toOptions(options)}
    </select>
  );
}

export const toOptions = (options: readonly Option[]) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
