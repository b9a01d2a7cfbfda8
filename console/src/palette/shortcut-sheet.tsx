import { Dialog } from '../components/dialog.tsx';
import { usePreferences } from '../format/preferences.ts';
import { texts } from '../texts/index.ts';
import { PLACES } from './places.ts';
import styles from './shortcut-sheet.module.css';

/** The other keys are in the texts. */
const placeKeys = PLACES.map(({ letter, text }) => ({ keys: ['g', letter], what: text }));

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { shortcuts } = usePreferences();
  return (
    <Dialog onClose={onClose} title={texts.shortcuts.title}>
      {!shortcuts && <p className="note">{texts.shortcuts.off}</p>}
      <dl className={styles['keys']}>
        {texts.shortcuts.keys.toSpliced(4, 0, ...placeKeys).map(({ keys, what }) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p className="note">{texts.shortcuts.note}</p>
    </Dialog>
  );
}
