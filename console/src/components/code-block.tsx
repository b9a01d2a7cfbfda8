import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './code-block.module.css';

interface CodeBlockProps {
  text: string;
  /** The text to copy, if it differs from the shown text. */
  copied?: string;
  label: string;
}

/** Shows text as it is, and copies it. */
export const CodeBlock = ({ text, copied = text, label }: CodeBlockProps) => (
  <div className={styles['block']}>
    <pre tabIndex={0} dir="auto" aria-label={label}>
      {text}
    </pre>
    <span className={styles['copy']}>
      <CopyButton text={copied} label={texts.labels.copyOf(label)} />
    </span>
  </div>
);
