/** Keys that work on every page. Single letters can be switched off (WCAG 2.1.4), and never act while one types. */
import { useNavigate } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePreferences } from '../shell/preferences.ts';

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

const FIELDS = 'input, textarea, select, [contenteditable]';

function isTaken({ target, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing) return true;
  if (target instanceof Element && target.closest(FIELDS)) return true;
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

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
  const { shortcuts } = usePreferences();
  const navigate = useNavigate();
  useEffect(() => {
    let waitsUntil = 0;
    const act = (key: string): boolean => {
      const isSecond = Date.now() < waitsUntil;
      const to = PAGES[key];
      waitsUntil = 0;
      if (isSecond && to) void navigate({ to });
      else if (key === 'g') waitsUntil = Date.now() + SECOND_LETTER_MS;
      else if (key === '?') show('sheet');
      else if (key === '/') return onElement('input[type="search"]', (input) => input.focus());
      else if (key === 'c') return onElement('[data-shortcut="c"]', (button) => button.click());
      else return false;
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        show('palette');
        return;
      }
      if (!shortcuts || event.metaKey || event.ctrlKey || event.altKey || isTaken(event)) return;
      if (act(event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [shortcuts, navigate, show]);
}
