import { LIMITS } from '../../../contract/values/limits.ts';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from '../components/button.tsx';
import { Problem } from '../components/problem-note.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { texts } from '../texts/index.ts';
import styles from './list.module.css';

const TYPED_MS = 350;

/** Full-text search. Typing changes the URL after a pause. */
export function SearchField({ value, onChange }: { value: string | undefined; onChange: (q: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const applied = useRef(value ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // The URL was changed by a link, a button or the browser's history, not by typing.
    if (applied.current !== (value ?? '') && input.current) {
      clearTimeout(timer.current);
      applied.current = value ?? '';
      input.current.value = applied.current;
    }
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const follow = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      applied.current = text;
      onChange(text);
    }, TYPED_MS);
  };
  return (
    <SearchBox
      ref={input}
      label={texts.lists.search}
      name="q"
      maxLength={LIMITS.name}
      placeholder={texts.lists.search}
      defaultValue={value}
      onChange={(event) => follow(event.target.value.trim())}
    />
  );
}

export type Pages = Pick<
  UseInfiniteQueryResult<unknown, unknown>,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
>;

/** Loads the next page, if there is one. */
export const MoreButton = ({ pages }: { pages: Pages }) =>
  pages.isFetchNextPageError ? (
    <Problem error={pages.error} onRetry={() => void pages.fetchNextPage()} />
  ) : (
    pages.hasNextPage && (
      <div className={styles['more']}>
        <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {texts.labels.more}
        </Button>
      </div>
    )
  );
