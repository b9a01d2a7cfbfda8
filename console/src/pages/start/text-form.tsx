/** Takes a conversation as text. */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { submitTextRequestMutation } from 'conversation-analysis-client/react-query';
import { decodeText, FormatError, readConversation } from 'conversation-analysis-client/uploads';
import { Button } from '../../components/button.tsx';
import { Form, FormButtons, TextAreaField } from '../../components/field.tsx';
import { invalid } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';
import { DataFields, readData } from './data-fields.tsx';
import { useShowSession } from './use-show-session.ts';

const uploads = texts.uploads;
const words = texts.start.conversation;

/** Runs the function. Shows what it can't read, and where, as an error of the conversation. */
function catchUnreadable(show: (problem: unknown) => void, run: () => void): void {
  try {
    run();
    show(undefined);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { line, item = 0, problem } = error;
    const place = line === undefined ? words.message(item) : words.line(line);
    show(invalid('conversation', `${place}: ${words.problems[problem]}`));
  }
}

export function TextForm({ assistantId }: { assistantId: string }) {
  const [text, setText] = useState('');
  const submitting = useMutation({ ...submitTextRequestMutation(), onSuccess: useShowSession(assistantId) });
  // The text stays when another assistant is chosen, or the chosen one was deleted.
  const error = submitting.variables?.body.assistant_id === assistantId ? submitting.error : null;
  const [unreadable, setUnreadable] = useState<unknown>();
  const [skipped, setSkipped] = useState(0);
  const submit = (values: Record<string, string>) =>
    catchUnreadable(setUnreadable, () => {
      const { turns: conversation, skipped: notices } = readConversation(text);
      setSkipped(notices);
      const body = { assistant_id: assistantId, conversation, metadata: readData(values) };
      submitting.mutate({ headers: { prefer: 'respond-async' }, body });
    });
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    if (file.size === 0) return setUnreadable(invalid('conversation', uploads.empty(file.name)));
    const bytes = await file.arrayBuffer();
    catchUnreadable(setUnreadable, () => setText(decodeText(new Uint8Array(bytes))));
  };
  const take = (file: File | undefined) =>
    file && void read(file).catch(() => setUnreadable(invalid('conversation', uploads.unreadable)));
  return (
    <Form error={unreadable ?? error} onSubmit={submit}>
      <TextAreaField
        name="conversation"
        label={texts.share.parts.conversation}
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
      <div className="row">
        <Button size="small" onClick={() => input.current?.click()}>
          {uploads.chooseFile}
        </Button>
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
        <Button size="small" onClick={() => setText(words.sample)}>
          {words.useSample}
        </Button>
        {skipped > 0 && (
          <span className="note" role="status">
            {words.skipped(skipped)}
          </span>
        )}
      </div>
      <DataFields />
      <FormButtons submit={words.submit} isDisabled={submitting.isPending} />
    </Form>
  );
}
