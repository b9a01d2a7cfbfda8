import styles from './voices.module.css';

const COUNT = 4;

/** Returns the colours of the n-th speaker. */
export const voiceOf = (index: number) => styles[`voice${index % COUNT}`] ?? '';
