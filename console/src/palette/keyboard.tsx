/** The command palette with its button, and the keyboard shortcuts of all pages. */
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Modal } from '../components/modal.tsx';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';
import { PLACES } from './places.ts';
import styles from './palette.module.css';
import { keyOf } from '../components/key-of.ts';
import { useKeys } from '../components/use-keys.ts';

const Palette = lazyPart(() => import('./command-palette.tsx'), 'Palette');
const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx'), 'ShortcutSheet');

type Overlay = 'palette' | 'sheet';

export function Keyboard() {
  const [overlay, setOverlay] = useState<Overlay>();
  const [text, setText] = useState('');
  const close = () => {
    setOverlay(undefined);
    setText('');
  };
  useShortcuts(setOverlay);
  return (
    <>
      <Button onClick={() => setOverlay('palette')} aria-keyshortcuts="Meta+K Control+K">
        <Search size={14} aria-hidden />
        {texts.shell.palette.button}
        <kbd>Ctrl K</kbd>
      </Button>
      {overlay === 'palette' && (
        <Modal className={styles['popup']} aria-label={texts.shell.palette.title} onClose={close}>
          <Suspense fallback={<EarlyInput text={text} onType={setText} />}>
            <Palette text={text} onType={setText} onClose={close} />
          </Suspense>
        </Modal>
      )}
      <Suspense>{overlay === 'sheet' && <ShortcutSheet onClose={close} />}</Suspense>
    </>
  );
}

/** A plain input that keeps the typed text while the palette loads. */
const EarlyInput = ({ text, onType }: { text: string; onType: (text: string) => void }) => (
  <input
    className={styles['input']}
    aria-label={texts.shell.palette.title}
    placeholder={texts.shell.palette.placeholder}
    autoFocus
    value={text}
    onChange={({ target }) => onType(target.value)}
  />
);

/** Longest time between `g` and the second letter. */
const SECOND_LETTER_MS = 1_500;

/** Calls `act` with the first matching element of the page. Returns whether there is one. */
function onElement(selector: string, act: (element: HTMLElement) => void): boolean {
  const element = document.querySelector<HTMLElement>(`#content ${selector}`);
  if (element) act(element);
  return element !== null;
}

/** @param show opens an overlay. It must be a stable function. */
function useShortcuts(show: (overlay: Overlay) => void): void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  const waitsUntil = useRef(0);
  useKeys((key) => {
    const isSecond = Date.now() < waitsUntil.current;
    const to = PLACES.find(({ letter }) => letter === key)?.to;
    waitsUntil.current = 0;
    if (isSecond && to) void navigate({ to });
    else if (key === 'g') waitsUntil.current = Date.now() + SECOND_LETTER_MS;
    else if (key === '?') show('sheet');
    else if (key === 'Escape' && canGoBack) history.back();
    else if (key === '/') return onElement('input[type="search"]', (input) => input.focus());
    else return false;
    return true;
  });
  useEffect(() => {
    // Also works in inputs, and needs no preference to turn it off: ⌘K and Ctrl+K are not pressed by accident.
    const onKey = (event: KeyboardEvent) => {
      const isPalette = keyOf(event) === 'k' && (event.metaKey || event.ctrlKey);
      if (!isPalette || event.shiftKey || event.altKey) return;
      event.preventDefault();
      show('palette');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [show]);
}
