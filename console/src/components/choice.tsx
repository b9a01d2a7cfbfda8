import styles from './control.module.css';

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
}

export const optionsOf = <Value extends string>(
  values: readonly Value[],
  labels: Record<Value, string>,
): Option<Value>[] => values.map((value) => ({ value, label: labels[value] }));

interface ChoiceProps<Value extends string> {
  /** For screen readers. */
  label: string;
  options: readonly Option<Value>[];
  value: NoInfer<Value>;
  disabled?: boolean;
  onChoose: (value: Value) => void;
}

/** A select outside a form, such as a filter. */
export const Choice = <Value extends string>({ label, options, onChoose, ...control }: ChoiceProps<Value>) => (
  <select
    aria-label={label}
    className={`${styles['control']} ${styles['compact']}`}
    onChange={({ target }) => onChoose(target.value as Value)}
    {...control}
  >
    {toOptions(options)}
  </select>
);

export const toOptions = (options: readonly Option[]) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
