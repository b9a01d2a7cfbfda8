import { useMemo, useRef, useState } from 'react';
import type { Session, Turn } from 'conversation-analysis-client';
import type { Quote } from '../../../contract/fields/result-fields.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Panel } from '../components/page.tsx';
import { apiBase } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';
import { Player } from './player.tsx';
import { SpeakerRoles } from './speaker-roles.tsx';
import { hasTimes, listSpeakers } from './speakers.tsx';
import { Transcript } from './transcript.tsx';
import type { Notes } from './turn-notes.tsx';
import type { ShowQuotes } from './turns.ts';
import { useHit } from './use-hit.ts';
import styles from './player.module.css';

const words = texts.session.conversation;
const NO_TURNS: readonly Turn[] = [];

interface ConversationProps {
  session: Session;
  /** Quotes to show in the transcript. */
  quoted: readonly Quote[];
  onShow: ShowQuotes;
  notes: Notes | undefined;
  /** The position in the recording to start at, in seconds. */
  startS?: number | undefined;
  /** The words of the search that led here. */
  q?: string | undefined;
}

/** The recording, if any, and the transcript. */
export function Conversation({ session, quoted, onShow, notes, startS, q }: ConversationProps) {
  const hit = useHit(session.session_id, q);
  const { conversation, roles } = session;
  const turns = conversation ?? NO_TURNS;
  const speakers = useMemo(() => listSpeakers(turns, roles), [turns, roles]);
  const audioRef = useRef<HTMLAudioElement>(null);
  const turnAt = (seconds: number) => turns.findLastIndex(({ start_s = 0 }) => start_s <= seconds);
  const [playedTurn, setPlayedTurn] = useState(() => (startS === undefined ? -1 : turnAt(startS)));
  const isVoice = session.type === 'voice';
  const hasAudio = session.audio?.available === true;
  const path = `${apiBase()}/v1/sessions/${session.session_id}`;
  return (
    <Panel title={words.title(turns.length)} isFlush>
      {isVoice && !hasAudio && <p className={`note ${styles['none']}`}>{texts.session.player.gone}</p>}
      {hasAudio && (
        <Player
          audioRef={audioRef}
          src={`${path}/audio`}
          durationS={session.transcript?.duration_s ?? null}
          turns={turns}
          speakers={speakers}
          startS={startS ?? 0}
          page={sessionPage(session.session_id)}
          onPosition={(seconds) => setPlayedTurn(turnAt(seconds))}
        />
      )}
      {isVoice && speakers.length > 1 && <SpeakerRoles session={session} speakers={speakers} onShow={onShow} />}
      {turns.length > 0 ? (
        <Transcript
          turns={turns}
          speakers={speakers}
          audioRef={hasAudio && hasTimes(turns) ? audioRef : undefined}
          playedTurn={playedTurn}
          quoted={quoted}
          notes={notes}
          hit={hit}
        />
      ) : (
        <EmptyState title={words.nothing} detail={session.error ? words.nothingFailed : words.nothingYet} />
      )}
    </Panel>
  );
}

/** Returns the URL of the session's page, which the review page is not. */
const sessionPage = (id: string) => location.origin + location.pathname.replace(/review$/, `sessions/${id}`);
