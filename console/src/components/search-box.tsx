import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './search-box.module.css';

interface SearchBoxProps extends ComponentProps<'input'> {
  label: string;
  /** Stands behind the field: what was found. */
  children?: ReactNode;
}

/** A field for words to look for. */
export const SearchBox = ({ label, children, ...input }: SearchBoxProps) => (
  <div className={styles['box']}>
    <Search size={14} aria-hidden />
    <input type="search" aria-label={label} {...input} />
    {children}
  </div>
);
