import type { ComponentProps } from 'react';
import styles from './progress-bar.module.css';

/** How much of something is done; its label is said. */
export const ProgressBar = (props: ComponentProps<'progress'> & { 'aria-label': string }) => (
  <progress className={styles['bar']} {...props} />
);
