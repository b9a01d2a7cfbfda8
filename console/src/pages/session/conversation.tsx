import { useMemo } from 'react';
import type { Session, Turn } from '../../../../clients/typescript/src/index.ts';
import type { Quote } from '../../../../contract/result-fields.ts';
import { ButtonAnchor } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Panel } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';
import { Player, Speakers } from './player.tsx';
import { createPlayback } from './playback.ts';
import { SpeakerRoles } from './speaker-roles.tsx';
import { hasTimes, listSpeakers } from './speakers.ts';
import { Transcript } from './transcript.tsx';

const words = texts.session.conversation;
const NO_TURNS: readonly Turn[] = [];

interface ConversationProps {
  session: Session;
  quoted: readonly Quote[];
  /** Shows where these words were said. */
  onShow: (quotes: readonly Quote[]) => void;
}

/** The recording, if there is one, and what was said. */
export function Conversation({ session, quoted, onShow }: ConversationProps) {
  const { conversation, roles } = session;
  const turns = conversation ?? NO_TURNS;
  const speakers = useMemo(() => listSpeakers(turns, roles), [turns, roles]);
  const playback = useMemo(() => createPlayback(turns), [turns]);
  const isVoice = session.type === 'voice';
  const path = `/api/v1/sessions/${session.session_id}`;
  return (
    <Panel
      title={words.title(turns.length)}
      actions={turns.length > 0 && <Downloads path={path} isTimed={hasTimes(turns)} />}
      isFlush
    >
      {isVoice && (
        <Player
          src={`${path}/audio`}
          durationS={session.transcript?.duration_s ?? null}
          turns={turns}
          speakers={speakers}
          playback={playback}
        />
      )}
      {isVoice && speakers.length > 1 && <SpeakerRoles {...{ session, speakers, onShow }} />}
      {!isVoice && speakers.length > 1 && <Shares speakers={speakers} />}
      {turns.length > 0 ? (
        <Transcript
          turns={turns}
          speakers={speakers}
          playback={isVoice && hasTimes(turns) ? playback : undefined}
          quoted={quoted}
        />
      ) : (
        <EmptyState title={words.nothing} detail={session.error ? words.nothingFailed : words.nothingYet} />
      )}
    </Panel>
  );
}

const Shares = ({ speakers }: { speakers: ReturnType<typeof listSpeakers> }) => (
  <div style={{ padding: '0.5rem 1rem 0' }}>
    <Speakers speakers={speakers} />
  </div>
);

/** The browser sends the login's cookie with a download, as with every call. */
const Downloads = ({ path, isTimed }: { path: string; isTimed: boolean }) => (
  <div style={{ display: 'flex', gap: '0.25rem' }}>
    {(isTimed ? (['txt', 'srt', 'vtt', 'json'] as const) : (['txt', 'json'] as const)).map((format) => (
      <ButtonAnchor
        key={format}
        look="quiet"
        size="small"
        href={`${path}/transcript?format=${format}`}
        download={`transcript.${format}`}
        label={words.download(format)}
      >
        {format}
      </ButtonAnchor>
    ))}
  </div>
);
