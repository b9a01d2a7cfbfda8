import { Search } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../components/button.tsx';
import { texts } from '../texts/index.ts';
import { useShortcuts } from './use-shortcuts.ts';
import type { Overlay } from './use-shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }));

/** Opens the palette, by a button too, and listens to the keys of all pages. */
export function Keyboard() {
  const [overlay, setOverlay] = useState<Overlay>();
  useShortcuts(setOverlay);
  const close = () => setOverlay(undefined);
  return (
    <>
      <Button onClick={() => setOverlay('palette')} aria-keyshortcuts="Meta+K Control+K">
        <Search size={14} aria-hidden />
        {texts.palette.button}
      </Button>
      <Suspense>
        {overlay === 'palette' && <Palette onClose={close} />}
        {overlay === 'sheet' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}
