import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './code-block.module.css';

/** Shows text as it is, and copies it. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <div className={styles['block']}>
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <span className={styles['copy']}>
      <CopyButton text={text} label={`${texts.common.copy} ${label}`} />
    </span>
  </div>
);
