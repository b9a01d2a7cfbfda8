import { Dialog } from '../components/dialog.tsx';
import { usePreferences } from '../format/preferences.ts';
import { texts } from '../texts/index.ts';
import styles from './shortcut-sheet.module.css';

const common = texts.common;
const shell = texts.shell;
/** The pages by the letter that follows `g`. The other keys are in the texts. */
const PAGES = { o: shell.overview, s: common.sessions, d: common.deliveries, a: shell.assistants, u: shell.usage };
const pageKeys = Object.entries(PAGES).map(([letter, what]) => ({ keys: ['g', letter], what }));

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { shortcuts } = usePreferences();
  return (
    <Dialog onClose={onClose} title={texts.shortcuts.title}>
      {!shortcuts && <p className="note">{texts.shortcuts.off}</p>}
      <dl className={styles['keys']}>
        {texts.shortcuts.keys.toSpliced(4, 0, ...pageKeys).map(({ keys, what }) => (
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
