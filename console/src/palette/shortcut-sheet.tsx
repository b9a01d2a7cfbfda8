import { Dialog } from '../components/dialog.tsx';
import { usePreferences } from '../format/preferences.ts';
import { shortcutKeys } from '../texts/en-later.ts';
import { texts } from '../texts/index.ts';
import styles from './shortcut-sheet.module.css';

const { keys: translated } = texts.shortcuts;
const keysOf = translated.length > 0 ? translated : shortcutKeys;

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { shortcuts } = usePreferences();
  return (
    <Dialog onClose={onClose} title={texts.shortcuts.title}>
      {!shortcuts && <p className="note">{texts.shortcuts.off}</p>}
      <dl className={styles['keys']}>
        {keysOf.map(({ keys, what }) => (
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
