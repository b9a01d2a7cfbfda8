import { useState } from 'react';
import { useKeys } from '../../palette/use-keys.ts';

/** Returns the row that the keyboard is at, and moves it with j and k; Enter opens it. */
export function useRowKeys(ids: readonly string[], open: (id: string, inNewTab: boolean) => void) {
  const [current, setCurrent] = useState<string>();
  useKeys((key) => {
    const index = current === undefined ? -1 : ids.indexOf(current);
    if (key === 'j' || key === 'k') {
      const next = ids[Math.min(ids.length - 1, Math.max(0, index + (key === 'j' ? 1 : -1)))];
      setCurrent(next);
      document.querySelector(`[data-row="${CSS.escape(next ?? '')}"]`)?.scrollIntoView({ block: 'nearest' });
    } else if (current !== undefined && (key === 'Enter' || key === 'o')) open(current, key === 'o');
    else return false;
    return true;
  });
  return current;
}
