import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * After navigation, focuses the heading of the new page, or on the way back the row that was opened. Screen readers
 * announce the focused element. If the page has focused an element itself, that element keeps the focus.
 */
export function usePageFocus(): void {
  const router = useRouter();
  useEffect(() => {
    let isBack = false;
    const stopHistory = router.history.subscribe(({ action }) => {
      isBack = action.type === 'BACK' || action.type === 'GO';
    });
    const stopRendered = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation && pathChanged) focusPage(isBack);
    });
    return () => {
      stopHistory();
      stopRendered();
    };
  }, [router]);
}

function focusPage(isBack: boolean): void {
  const content = document.querySelector<HTMLElement>('#content');
  if (!content || content.contains(document.activeElement)) return;
  const row = isBack ? content.querySelector<HTMLElement>('tr[aria-current="true"] [data-row-link]') : null;
  const target = row ?? content.querySelector('h1') ?? content;
  target.focus({ preventScroll: true });
}
