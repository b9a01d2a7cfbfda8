import { useEffect, useState } from 'react';
import { usePreferences } from '../../shell/preferences.ts';

/** Returns the row that the keyboard is at, and moves it with j and k; Enter opens it. */
export function useRowKeys(ids: readonly string[], open: (id: string, inNewTab: boolean) => void) {
  const [current, setCurrent] = useState<string>();
  const { shortcuts } = usePreferences();
  useEffect(() => {
    if (!shortcuts) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const index = current === undefined ? -1 : ids.indexOf(current);
      if (event.key === 'j' || event.key === 'k') {
        const next = ids[Math.min(ids.length - 1, Math.max(0, index + (event.key === 'j' ? 1 : -1)))];
        setCurrent(next);
        document.querySelector(`[data-row="${CSS.escape(next ?? '')}"]`)?.scrollIntoView({ block: 'nearest' });
      } else if (current !== undefined && (event.key === 'Enter' || event.key === 'o'))
        open(current, event.key === 'o');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [ids, current, open, shortcuts]);
  return current;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('a, button, input, select, textarea, [contenteditable]') !== null
  );
}
