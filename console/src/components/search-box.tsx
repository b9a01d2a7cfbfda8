import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './search-box.module.css';

interface SearchBoxProps extends ComponentProps<'input'> {
  label: string;
  /** Shown after the input, such as the number of matches. */
  children?: ReactNode;
}

export const SearchBox = ({ label, children, ...input }: SearchBoxProps) => (
  <div className={styles['box']}>
    <Search size={14} aria-hidden />
    <input type="search" dir="auto" aria-label={label} {...input} />
    {children}
  </div>
);
