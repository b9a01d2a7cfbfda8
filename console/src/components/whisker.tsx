import styles from './whisker.module.css';

interface WhiskerProps {
  value: number;
  lower: number;
  upper: number;
  /** The ends of the scale. */
  from?: number;
  to?: number;
  /** A value to compare with, shown as a line. */
  mark?: number | undefined;
}

/** A dot with a whisker: a value and its interval on a scale. The text beside it has the numbers for screen readers. */
export function Whisker({ value, lower, upper, from = 0, to = 1, mark }: WhiskerProps) {
  const at = (each: number) => `${((each - from) / (to - from)) * 100}%`;
  return (
    <span className={styles['scale']} aria-hidden>
      {mark !== undefined && <span className={styles['mark']} style={{ left: at(mark) }} data-shape />}
      <span className={styles['range']} style={{ left: at(lower), right: at(from + to - upper) }} data-shape />
      <span className={styles['dot']} style={{ left: at(value) }} data-shape />
    </span>
  );
}
