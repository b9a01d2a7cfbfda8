/** Single keys. They can be switched off (WCAG 2.1.4), and never act while one types or a dialog is open. */
import { useEffect, useEffectEvent } from 'react';
import { usePreferences } from '../shell/preferences.ts';

const FIELDS = 'input, textarea, select, [contenteditable]';

/** Keys that what has the focus understands by itself. */
const OWN_KEYS: Record<string, string> = {
  ' ': 'a, button, summary, [tabindex="0"]',
  Enter: 'a, button, summary, [tabindex="0"]',
  ArrowLeft: '[tabindex="0"]',
  ArrowRight: '[tabindex="0"]',
};

function isTaken({ target, key, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing) return true;
  if (target instanceof Element && target.closest([FIELDS, OWN_KEYS[key] ?? []].flat().join(', '))) return true;
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

/**
 * Listens for keys without ⌘, Ctrl or Alt while the component is shown.
 * @param act returns whether the key did something.
 */
export function useKeys(act: (key: string) => boolean): void {
  const { shortcuts } = usePreferences();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!shortcuts || event.metaKey || event.ctrlKey || event.altKey || isTaken(event)) return;
    if (act(event.key)) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
