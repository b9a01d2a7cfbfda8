import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import {
  getSessionCallOptions,
  getSessionTimelineOptions,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { texts } from '../../texts/index.ts';
import styles from './raw-tab.module.css';

const words = texts.session.raw;

/** What the vendors answered, call by call, and the session as the API gives it: as a tree, or as the text of the JSON. */
export function RawTab({ session }: { session: Session }) {
  const { session_id: sessionId } = session;
  const [isText, setText] = useState(false);
  const { data, error } = useQuery(getSessionTimelineOptions({ path: { id: sessionId } }));
  const calls = (data?.data ?? []).filter(({ call_id }) => call_id !== null);
  return (
    <div className={styles['raw']}>
      <div>
        <Button size="small" aria-pressed={isText} onClick={() => setText(!isText)}>
          {words.asText}
        </Button>
      </div>
      {error && <Problem error={error} />}
      {calls.map(({ call_id, provider, model }) => (
        <Part key={call_id} title={words.answer(call_id ?? '', [provider, model].filter(Boolean).join(' · '))}>
          <Answer sessionId={sessionId} callId={call_id ?? ''} isText={isText} />
        </Part>
      ))}
      <Part title={words.session}>
        {/* The conversation is beside it, and may be megabytes. */}
        <Json value={{ ...session, conversation: undefined }} label={words.session} isText={isText} />
      </Part>
    </div>
  );
}

/** Its content is made when it is first opened. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details className={styles['part']} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{title}</summary>
      {wasOpened && children}
    </details>
  );
}

function Answer({ sessionId, callId, isText }: { sessionId: string; callId: string; isText: boolean }) {
  const { data, error, refetch } = useQuery({
    ...getSessionCallOptions({ path: { id: sessionId, call_id: callId } }),
    staleTime: 60_000,
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={3} />;
  if (data.vendor_response === null) return <p>{words.noAnswer}</p>;
  return <Json value={data.vendor_response} label={callId} isText={isText} />;
}

const Json = ({ value, label, isText }: { value: unknown; label: string; isText: boolean }) =>
  isText ? <CodeBlock text={JSON.stringify(value, null, 2)} label={label} /> : <JsonTree value={value} />;
