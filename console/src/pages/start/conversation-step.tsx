import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ComponentProps } from 'react';
import type { Assistant, Session } from 'conversation-analysis-client';
import { submitTextRequestMutation, submitVoiceRequestByUrlMutation } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { Form, FormButtons, TextAreaField, TextField } from '../../components/field.tsx';
import { showToast } from '../../components/toasts.tsx';
import { texts } from '../../texts/index.ts';
import { DropZone } from '../../uploads/drop-zone.tsx';
import { readRecordingUrl, RecordingUrlFields } from '../../uploads/recording-url.tsx';
import { UploadList } from '../../uploads/upload-list.tsx';
import { addUploads } from '../../uploads/upload-queue.ts';
import { parsePairs } from '../../lists/search.ts';
import { loadFile } from '../../server/load-file.ts';
import { invalid } from '../../server/problem.ts';
import { Step } from './step.tsx';

const uploads = texts.uploads;
const words = texts.start.conversation;

/** Takes a conversation as text, or recordings. */
export function ConversationStep({ assistant }: { assistant: Assistant }) {
  const [metadata, setMetadata] = useState('');
  if (assistant.type === 'text') return <TextStep assistantId={assistant.id} />;
  return (
    <Step number={3} title={uploads.recordings} hint={words.voiceHint}>
      <MetadataField value={metadata} onChange={({ target }) => setMetadata(target.value)} />
      <DropZone onFiles={(files) => addUploads(files, assistant.id, toMetadata(metadata))} />
      <UploadList />
      <UrlForm assistantId={assistant.id} metadata={toMetadata(metadata)} />
    </Step>
  );
}

/** Returns a function that shows a submitted session below the form. */
function useShowSession(assistant: string) {
  const navigate = useNavigate();
  return ({ session_id: session }: Session) =>
    navigate({ to: '/start', search: { assistant, session }, resetScroll: false });
}

function UrlForm({ assistantId, metadata }: { assistantId: string; metadata: Record<string, string> }) {
  const submitting = useMutation({ ...submitVoiceRequestByUrlMutation(), onSuccess: useShowSession(assistantId) });
  const submit = (values: Record<string, string>) =>
    submitting.mutate({
      headers: { prefer: 'respond-async' },
      body: { assistant_id: assistantId, metadata, ...readRecordingUrl(values) },
    });
  return (
    <Form error={submitting.error} onSubmit={submit}>
      <RecordingUrlFields />
      <div className="row">
        <Button type="submit" disabled={submitting.isPending}>
          {uploads.submitUrl}
        </Button>
      </div>
    </Form>
  );
}

const toMetadata = (text: string | undefined) => Object.fromEntries(parsePairs(text));

const MetadataField = (props: ComponentProps<'input'>) => (
  <TextField
    name="metadata"
    label={texts.sessions.metadata}
    hint={words.metadataHint}
    placeholder="call_id=c-1042"
    pattern=".+=.*"
    isOptional
    {...props}
  />
);

/** Says that a file of the console could not be loaded. */
const showBroken = () => showToast(`${texts.shell.broke}. ${texts.shell.brokeDetail}`);

const loadReader = () => loadFile(() => import('./read-conversation.ts'));
type Reader = Awaited<ReturnType<typeof loadReader>>;

/** Runs the function. Shows what it can't read as an error of the conversation. */
async function catchUnreadable(show: (problem: unknown) => void, run: (reader: Reader) => void): Promise<void> {
  const reader = await loadReader();
  try {
    run(reader);
    show(undefined);
  } catch (error) {
    const problem = reader.explainUnreadable(error);
    if (problem === undefined) throw error;
    show(invalid('conversation', problem));
  }
}

function TextStep({ assistantId }: { assistantId: string }) {
  const [text, setText] = useState('');
  const submitting = useMutation({ ...submitTextRequestMutation(), onSuccess: useShowSession(assistantId) });
  // The text stays when another assistant is chosen, or the chosen one was deleted.
  const { error, isSuccess } =
    submitting.variables?.body.assistant_id === assistantId ? submitting : { error: null, isSuccess: false };
  const [unreadable, setUnreadable] = useState<unknown>();
  const [skipped, setSkipped] = useState(0);
  const submit = ({ metadata }: Record<string, string>) =>
    void catchUnreadable(setUnreadable, ({ readConversation }) => {
      const { turns: conversation, skipped: notices } = readConversation(text);
      setSkipped(notices);
      const body = { assistant_id: assistantId, conversation, metadata: toMetadata(metadata) };
      submitting.mutate({ headers: { prefer: 'respond-async' }, body });
    }).catch(showBroken);
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    if (file.size === 0) return setUnreadable(invalid('conversation', uploads.empty(file.name)));
    const bytes = await file.arrayBuffer();
    await catchUnreadable(setUnreadable, ({ decodeText }) => setText(decodeText(new Uint8Array(bytes))));
  };
  const take = (file: File | undefined) =>
    file && void read(file).catch(() => setUnreadable(invalid('conversation', uploads.unreadable)));
  return (
    <Step number={3} title={words.textTitle} isDone={isSuccess}>
      <Form error={unreadable ?? error} onSubmit={submit}>
        <TextAreaField
          name="conversation"
          label={words.textTitle}
          hint={words.textHint}
          rows={8}
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const [file] = event.dataTransfer.files;
            if (file) event.preventDefault();
            take(file);
          }}
        />
        <MetadataField />
        {skipped > 0 && (
          <p className="note" role="status">
            {words.skipped(skipped)}
          </p>
        )}
        <FormButtons submit={words.submit} isDisabled={submitting.isPending}>
          <Button onClick={() => input.current?.click()}>{uploads.chooseFile}</Button>
          <input
            ref={input}
            type="file"
            aria-label={uploads.chooseFile}
            hidden
            onChange={({ currentTarget }) => {
              take(currentTarget.files?.[0]);
              // Without this, choosing the same file again has no effect.
              currentTarget.value = '';
            }}
          />
          <Button
            onClick={() =>
              void loadFile(() => import('../../analysis-settings/samples.ts')).then(
                ({ samples: [text = ''] }) => setText(text),
                showBroken,
              )
            }
          >
            {words.useSample}
          </Button>
        </FormButtons>
      </Form>
    </Step>
  );
}
