import { useQuery } from '@tanstack/react-query';
import type { SessionListItem } from 'conversation-analysis-client';
import { getSessionOptions, listSessionsOptions } from 'conversation-analysis-client/react-query';
import { Button } from '../components/button.tsx';
import { Choice, type Option } from '../components/choice.tsx';
import { Form, FormButtons, TextField } from '../components/field.tsx';
import { serverNow } from '../format/clock.ts';
import { firstValue } from '../format/metadata.ts';
import { formatShortTime } from '../format/times.ts';
import { texts } from '../texts/index.ts';
import styles from './compare.module.css';

const words = texts.compare;

interface OtherSessionProps {
  sessionId: string;
  /** The original session, if this one is a reanalysis. */
  sourceId: string | null | undefined;
  otherId: string | undefined;
  onChoose: (sessionId: string) => void;
}

type Sibling = Pick<SessionListItem, 'session_id' | 'created_at' | 'summary_text' | 'metadata'>;

const MAX_LABEL = 60;

/** Returns a function that formats a session as an option: its time, an ID of its metadata and the start of its summary. */
export function useSessionOption(): (session: Sibling) => Option {
  return ({ session_id, created_at, summary_text, metadata }) => {
    const summary = [firstValue(metadata), summary_text ?? session_id].filter(Boolean).join(' · ');
    // Remove the last, incomplete word.
    const start =
      summary.length > MAX_LABEL
        ? `${summary
            .slice(0, MAX_LABEL)
            .replace(/\s\S*$/, '')
            .trimEnd()} …`
        : summary;
    return { value: session_id, label: words.named(formatShortTime(created_at, serverNow()), start) };
  };
}

/** Returns the other analyses of the conversation: the original session and its newest reanalyses. */
function useSiblings(sessionId: string, sourceId: string | null | undefined): Sibling[] {
  const originId = sourceId ?? sessionId;
  const reanalyses = useQuery(listSessionsOptions({ query: { source_session_id: originId, limit: 200 } }));
  const original = useQuery({ ...getSessionOptions({ path: { id: originId } }), enabled: originId !== sessionId });
  const all: Sibling[] = [...(original.data ? [original.data] : []), ...(reanalyses.data?.data ?? [])];
  return all.filter(({ session_id }) => session_id !== sessionId);
}

/** Selects the session to compare with: the original, a reanalysis, or any session by its ID. */
export function OtherSession({ sessionId, sourceId, otherId, onChoose }: OtherSessionProps) {
  const siblings = useSiblings(sessionId, sourceId);
  const toSessionOption = useSessionOption();
  return (
    <div className={`row ${styles['choose']}`}>
      {siblings.length > 0 && (
        <Choice
          label={words.sibling}
          value={siblings.find(({ session_id }) => session_id === otherId)?.session_id ?? ''}
          options={[{ value: '', label: words.sibling }, ...siblings.map(toSessionOption)]}
          onChoose={(id) => id !== '' && onChoose(id)}
        />
      )}
      <Form isGuarded={false} error={null} onSubmit={({ other = '' }) => onChoose(other.trim())}>
        <div className={`row ${styles['byId']}`}>
          <TextField
            name="other"
            label={texts.sessions.id}
            defaultValue={otherId ?? ''}
            required
            pattern="\s*sess_[0-9a-z]{26}\s*"
          />
          <FormButtons>
            <Button type="submit">{words.compare}</Button>
          </FormButtons>
        </div>
      </Form>
    </div>
  );
}
