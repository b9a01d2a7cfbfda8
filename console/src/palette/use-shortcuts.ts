/** Keys that work on every page. */
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useKeys } from './use-keys.ts';

export type Overlay = 'palette' | 'sheet';

/** The second letter after `g`. */
const PAGES: Record<string, LinkProps['to']> = {
  o: '/',
  s: '/sessions',
  d: '/deliveries',
  a: '/assistants',
  u: '/usage',
  t: '/settings/tokens',
};

/** So long `g` waits for its second letter. */
const SECOND_LETTER_MS = 1_500;

/** Presses or focuses what a page has marked for the key. */
function onElement(selector: string, act: (element: HTMLElement) => void): boolean {
  const element = document.querySelector<HTMLElement>(`#content ${selector}`);
  if (element) act(element);
  return element !== null;
}

/**
 * Listens for the shortcuts.
 * @param show opens the palette or the sheet; give it a stable function.
 */
export function useShortcuts(show: (overlay: Overlay) => void): void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  const waitsUntil = useRef(0);
  useKeys((key) => {
    const isSecond = Date.now() < waitsUntil.current;
    const to = PAGES[key];
    waitsUntil.current = 0;
    if (isSecond && to) void navigate({ to });
    else if (key === 'g') waitsUntil.current = Date.now() + SECOND_LETTER_MS;
    else if (key === '?') show('sheet');
    else if (key === 'Escape' && canGoBack) history.back();
    else if (key === '/') return onElement('input[type="search"]', (input) => input.focus());
    else if (key === 'c') return onElement('[data-shortcut="c"]', (button) => button.click());
    else return false;
    return true;
  });
  useEffect(() => {
    // With ⌘ or Ctrl it is nobody's slip: it works in fields too, and cannot be switched off.
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      show('palette');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [show]);
}
