import { Upload as UploadIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { showToast } from '../components/toasts.tsx';
import { isRecording, readDropped } from './dropped-files.ts';
import styles from './uploads.module.css';
import { texts } from '../texts/index.ts';

const words = texts.uploads;

/** In an object, because React's types lack this attribute. */
const FOLDER = { webkitdirectory: '' };

/** Accepts recordings and tables of their data as files or folders, dropped or chosen. */
export function DropZone({ onFiles }: { onFiles: (recordings: File[], tables: File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const [skipped, setSkipped] = useState(0);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (given: readonly File[]) => {
    const tables = given.filter(({ name }) => name.toLowerCase().endsWith('.csv'));
    const recordings = given.filter(isRecording);
    setSkipped(given.length - tables.length - recordings.length);
    if (given.length > 0) onFiles(recordings, tables);
  };
  const takeChosen = ({ currentTarget: input }: React.ChangeEvent<HTMLInputElement>) => {
    take([...(input.files ?? [])]);
    // Without this, choosing the same folder again has no effect.
    input.value = '';
  };
  return (
    <div
      className={styles['zone']}
      data-over={isOver ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void readDropped(event.dataTransfer.items).then(take, () => showToast(words.unreadable));
      }}
    >
      <UploadIcon size={24} strokeWidth={1.5} aria-hidden />
      <strong>{words.drop}</strong>
      <span>WAV, MP3, M4A, AAC, FLAC, OGG, WebM</span>
      <div className="row">
        <Button onClick={() => files.current?.click()}>{words.chooseFiles}</Button>
        <Button onClick={() => folder.current?.click()}>{words.chooseFolder}</Button>
      </div>
      <input
        ref={files}
        type="file"
        aria-label={words.chooseFiles}
        multiple
        accept="audio/*,video/*,.csv"
        hidden
        onChange={takeChosen}
      />
      <input ref={folder} type="file" aria-label={words.chooseFolder} {...FOLDER} hidden onChange={takeChosen} />
      {skipped > 0 && (
        <p className="note" role="status">
          {words.skipped(skipped)}
        </p>
      )}
    </div>
  );
}
