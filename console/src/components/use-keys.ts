/** Single-key shortcuts. They can be turned off (WCAG 2.1.4) and never act while typing or in a dialog. */
import { useEffect, useEffectEvent } from 'react';
import { usePreferences } from '../format/preferences.ts';
import { keyOf } from './key-of.ts';

/** Elements into which people type. */
const INPUTS = 'input:not([type="range"], [type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

/** Toasts also have the role `dialog`, but are not modal. */
const DIALOGS = ':is([role="dialog"], [role="alertdialog"]):not([aria-modal="false"])';

/** Areas that scroll. A transcript with a recording only scrolls up and down, and Space plays. */
const AREAS = '[tabindex="0"]:not([data-playable])';

/** Keys that the focused element handles itself. */
const OWN_KEYS: Record<string, string> = {
  ' ': `button, summary, [type="checkbox"], [type="radio"], ${AREAS}`,
  Enter: 'a, button, summary, input',
  ArrowLeft: `input, ${AREAS}`,
  ArrowRight: `input, ${AREAS}`,
};

function isTaken({ target, key, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing) return true;
  if (target instanceof Element && target.closest([INPUTS, OWN_KEYS[key] ?? []].flat().join(', '))) return true;
  return document.querySelector(`${DIALOGS}, :popover-open`) !== null;
}

/**
 * Listens for keys without ⌘, Ctrl or Alt while the component is shown.
 * @param act handles a key. Returns whether it did.
 */
export function useKeys(act: (key: string) => boolean): void {
  const { shortcuts } = usePreferences();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!shortcuts || event.metaKey || event.ctrlKey || event.altKey || isTaken(event)) return;
    if (act(keyOf(event))) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
