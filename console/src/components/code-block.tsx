import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './code-block.module.css';

interface CodeBlockProps {
  text: string;
  /** What the button copies, if it is not the text as it is shown. */
  copied?: string;
  label: string;
}

/** Shows text as it is, and copies it. */
export const CodeBlock = ({ text, copied = text, label }: CodeBlockProps) => (
  <div className={styles['block']}>
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <span className={styles['copy']}>
      <CopyButton text={copied} label={`${texts.common.copy} ${label}`} />
    </span>
  </div>
);
