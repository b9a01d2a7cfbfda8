/** Takes recordings, one or a whole folder, or the URL of one. */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { submitVoiceRequestByUrlMutation } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { Form, TextField } from '../../components/field.tsx';
import { readForm } from '../../components/form-values.ts';
import { showToast } from '../../components/toasts.tsx';
import { texts } from '../../texts/index.ts';
import { DropZone } from '../../uploads/drop-zone.tsx';
import { dataOfName, readTable } from '../../uploads/file-data.ts';
import { readRecordingUrl, RecordingUrlFields } from '../../uploads/recording-url.tsx';
import { UploadList } from '../../uploads/upload-list.tsx';
import { addUploads } from '../../uploads/upload-queue.ts';
import { DataFields, readData } from './data-fields.tsx';
import { useShowSession } from './use-show-session.ts';

const uploads = texts.uploads;
const words = texts.start;

export function RecordingsForm({ assistantId }: { assistantId: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [table, setTable] = useState<Awaited<ReturnType<typeof readTable>>>();
  const submitting = useMutation({ ...submitVoiceRequestByUrlMutation(), onSuccess: useShowSession(assistantId) });
  const submit = (values: Record<string, string>) =>
    submitting.mutate({
      headers: { prefer: 'respond-async' },
      body: { assistant_id: assistantId, metadata: readData(values), ...readRecordingUrl(values) },
    });
  const take = async (recordings: readonly File[], [csv]: readonly File[]) => {
    const read = csv ? await readTable(csv) : table;
    setTable(read);
    const form = box.current?.querySelector('form');
    const values = form ? readForm(form) : {};
    const dataOf = ({ name }: File) => ({
      ...readData(values),
      ...dataOfName(name, values['pattern'] ?? ''),
      ...read?.get(name),
    });
    addUploads(recordings, assistantId, dataOf);
  };
  return (
    <div ref={box} className="stack">
      <DropZone onFiles={(...files) => void take(...files).catch(() => showToast(uploads.unreadable))} />
      {table && (
        <p className="note" role="status">
          {words.data.table(table.size)}
        </p>
      )}
      <UploadList />
      <Form error={submitting.error} onSubmit={submit} isGuarded={false}>
        <DataFields />
        <details>
          <summary>{words.data.ofFiles}</summary>
          <div className="stack">
            <p className="note">{words.data.csv}</p>
            <TextField name="pattern" label={words.data.pattern} placeholder="{agent}_{call_id}" isOptional />
          </div>
        </details>
        <details>
          <summary>{uploads.url}</summary>
          <div className="stack">
            <RecordingUrlFields />
            <div className="row">
              <Button type="submit" disabled={submitting.isPending}>
                {uploads.submitUrl}
              </Button>
            </div>
          </div>
        </details>
      </Form>
    </div>
  );
}
