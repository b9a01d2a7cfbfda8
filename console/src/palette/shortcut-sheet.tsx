import { Dialog } from '../components/dialog.tsx';
import { usePreferences } from '../format/preferences.ts';
import { texts } from '../texts/index.ts';
import styles from './shortcut-sheet.module.css';

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { shortcuts } = usePreferences();
  return (
    <Dialog onClose={onClose} title={texts.shortcuts.title}>
      {!shortcuts && <p className="note">{texts.shortcuts.off}</p>}
      <dl className={styles['keys']}>
        {texts.shortcuts.keys.map(({ keys, what }) => (
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
