import { useKeys } from '../../palette/use-keys.ts';

const STEPS: Record<string, number> = { n: 1, p: -1 };

/** Moves the focus to the next failed row of the waterfall with n, and to the previous one with p. */
export function useFailedKeys(): void {
  useKeys((key) => {
    const step = STEPS[key];
    const rows = [...document.querySelectorAll<HTMLElement>('#content [data-failed]')];
    if (step === undefined || rows.length === 0) return false;
    const at = rows.findIndex((row) => row === document.activeElement);
    const next = at === -1 && step < 0 ? -1 : at + step;
    rows.at(next % rows.length)?.focus();
    return true;
  });
}
