import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Session } from 'conversation-analysis-client';
import { getSessionCallOptions, getSessionTimelineOptions } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { modelName } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import styles from './tabs.module.css';

const words = texts.session.raw;

/** The provider's response to each call, and the session as the API returns it, as a tree or as JSON text. */
export function RawTab({ session }: { session: Session }) {
  const { session_id: sessionId } = session;
  const [isText, setText] = useState(false);
  const timeline = useQuery(getSessionTimelineOptions({ path: { id: sessionId } }));
  return (
    <>
      <div>
        <Button size="small" aria-pressed={isText} onClick={() => setText(!isText)}>
          {words.asText}
        </Button>
      </div>
      <Loaded query={timeline}>
        {({ data }) =>
          data.map(
            ({ call_id, step, attempt, provider, model }) =>
              call_id !== null && (
                <Part
                  key={call_id}
                  title={words.response(
                    texts.session.costs.call(texts.session.waterfall.steps[step], attempt),
                    modelName(provider, model),
                  )}
                >
                  <Response sessionId={sessionId} callId={call_id} isText={isText} />
                </Part>
              ),
          )
        }
      </Loaded>
      <Part title={texts.session.title}>
        {/* Without the conversation, which can be megabytes long and is already on the page. */}
        <Json value={{ ...session, conversation: undefined }} label={texts.session.title} isText={isText} />
      </Part>
    </>
  );
}

/** A collapsible part. Its content is rendered when it is first opened. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details className={styles['raw']} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{title}</summary>
      {wasOpened && children}
    </details>
  );
}

function Response({ sessionId, callId, isText }: { sessionId: string; callId: string; isText: boolean }) {
  const call = useQuery({
    ...getSessionCallOptions({ path: { id: sessionId, call_id: callId } }),
    staleTime: 60_000,
  });
  return (
    <Loaded query={call}>
      {({ provider_response: response }) =>
        response === null ? <p>{words.noResponse}</p> : <Json value={response} label={callId} isText={isText} />
      }
    </Loaded>
  );
}

const Json = ({ value, label, isText }: { value: unknown; label: string; isText: boolean }) =>
  isText ? <CodeBlock text={JSON.stringify(value, null, 2)} label={label} /> : <JsonTree value={value} />;
