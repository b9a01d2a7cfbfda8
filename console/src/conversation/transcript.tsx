import { memo, Suspense, useEffect, useMemo, useRef, useState, type MouseEvent, type Ref, type RefObject } from 'react';
import type { Turn } from 'conversation-analysis-client';
import type { Quote } from '../../../contract/fields/result-fields.ts';
import { SearchBox } from '../components/search-box.tsx';
import { formatPosition } from '../format/durations.ts';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';
import type { Notes } from './turn-notes.tsx';
import { playFrom } from './player.tsx';
import type { Speaker } from './speakers.tsx';
import type { Hit } from './use-hit.ts';
import {
  findTurns,
  groupTurns,
  highlightMatches,
  highlightQuotes,
  indexOfTurn,
  markTurn,
  scrollWithin,
  showTurn,
  turnAt,
  turnIndex,
} from './turns.ts';
import styles from './transcript.module.css';

const TurnNotes = lazyPart(() => import('./turn-notes.tsx'), 'TurnNotes');

const words = texts.session.transcript;

interface TranscriptProps {
  turns: readonly Turn[];
  speakers: readonly Speaker[];
  /** Undefined if turns can't be played. */
  audioRef: RefObject<HTMLAudioElement | null> | undefined;
  /** Index of the turn at the position of the recording; -1 for none. */
  playedTurn: number;
  /** Quotes to show. A new array with the same quotes shows them again. */
  quoted: readonly Quote[];
  /** Undefined if the page shows no notes. */
  notes: Notes | undefined;
  /** Where the search that led here matches. */
  hit: Hit | undefined;
}

/** The transcript. The document contains every turn, so the browser can find, print and copy all of them. */
export function Transcript({ turns, speakers, audioRef, playedTurn, quoted, notes, hit }: TranscriptProps) {
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string>();
  const query = typed ?? hit?.q ?? '';
  const [isFollowing, setFollowing] = useState(true);
  const [chosen, setAt] = useState<number>();
  const wanted = useMemo(() => wordsOf(typed, hit), [typed, hit]);
  const found = useMemo(() => findTurns(turns, wanted), [turns, wanted]);
  const at = chosen ?? Math.max(0, hit ? found.indexOf(hit.turn) : 0);

  useEffect(() => (list.current ? highlightMatches(list.current, found, wanted) : undefined), [found, wanted]);
  // The Enter key then plays the turn.
  useEffect(() => {
    if (!list.current || !hit) return;
    showTurn(list.current, hit.turn);
    turnAt(list.current, hit.turn)?.querySelector('button')?.focus({ preventScroll: true });
  }, [hit]);
  useEffect(() => {
    const [first] = quoted;
    if (!first || !list.current) return undefined;
    showTurn(list.current, first.turn);
    if (first.start_s !== undefined && audioRef) playFrom(audioRef, first.start_s);
    return highlightQuotes(list.current, quoted);
  }, [quoted, audioRef]);
  // Sets an attribute instead of rendering, because rendering 5,000 turns again would be slow.
  useEffect(() => {
    const turn = list.current && audioRef && markTurn(list.current, 'data-active', playedTurn);
    if (isFollowing && list.current && turn) scrollWithin(list.current, turn);
  }, [audioRef, playedTurn, isFollowing]);

  const step = (by: number) => {
    const next = (at + by + found.length) % found.length;
    setAt(next);
    if (list.current) showTurn(list.current, found[next]);
  };
  const search = (text: string) => {
    setTyped(text);
    setAt(0);
    if (list.current) showTurn(list.current, findTurns(turns, wordsOf(text, undefined))[0]);
  };
  return (
    <>
      <div className={`row ${styles['tools']}`}>
        <SearchBox
          label={words.search}
          placeholder={words.search}
          value={query}
          onChange={(event) => search(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && found.length > 0 && step(event.shiftKey ? -1 : 1)}
        >
          <span className={styles['found']} role="status">
            {query !== '' && words.found(found.length === 0 ? 0 : at + 1, found.length)}
          </span>
        </SearchBox>
        {audioRef && (
          <label className="row note">
            <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
            {words.follow}
          </label>
        )}
        {notes && (
          <Suspense>
            <TurnNotes turns={list} notes={notes} />
          </Suspense>
        )}
      </div>
      <Turns ref={list} turns={turns} speakers={speakers} audioRef={audioRef} />
    </>
  );
}

/** Returns what the transcript marks: the typed text, or the words of the hit. */
const wordsOf = (typed: string | undefined, hit: Hit | undefined): string[] =>
  (typed === undefined ? (hit?.words ?? []) : [typed.trim()]).map((each) => each.toLowerCase()).filter(Boolean);

interface TurnsProps extends Pick<TranscriptProps, 'turns' | 'speakers' | 'audioRef'> {
  ref: Ref<HTMLDivElement>;
}

/** Renders few elements per turn: there may be thousands of turns. */
const Turns = memo(function Turns({ ref, turns, speakers, audioRef }: TurnsProps) {
  const byRole = new Map(speakers.map((speaker) => [speaker.role, speaker]));
  /** A click on the text of a turn plays it, unless it selects text. */
  const playTurn = ({ target, currentTarget }: MouseEvent<HTMLDivElement>) => {
    const index = target instanceof Element ? indexOfTurn(target) : undefined;
    if (index === undefined) return;
    markTurn(currentTarget, 'data-found', index);
    const { start_s } = turns[index] ?? {};
    if (audioRef && start_s !== undefined && getSelection()?.isCollapsed && (target as Element).matches('[data-text]'))
      playFrom(audioRef, start_s);
  };
  return (
    <div
      ref={ref}
      className={styles['turns']}
      role="list"
      tabIndex={0}
      aria-label={words.title}
      data-playable={audioRef && ''}
      onClick={playTurn}
    >
      {groupTurns(turns).map((group, number) => (
        <div key={number} className={styles['group']} style={estimateHeight(group.length)} role="presentation">
          {group.map(({ role, text, start_s }, at) => (
            <div
              key={at}
              role="listitem"
              className={`${styles['turn']} ${byRole.get(role)?.voice}`}
              data-number={start_s === undefined ? turnIndex(number, at) + 1 : undefined}
            >
              {start_s !== undefined && <Position startS={start_s} audioRef={audioRef} />}
              <div className={styles['role']} dir="auto">
                {byRole.get(role)?.name}
              </div>
              <div className={styles['text']} dir="auto" data-text>
                {text}
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
});

/** Most turns have a speaker and one or two lines. */
const estimateHeight = (turns: number) => ({ containIntrinsicSize: `auto ${turns * 3.5}rem` });

function Position({ startS, audioRef }: Pick<TranscriptProps, 'audioRef'> & { startS: number }) {
  const position = formatPosition(startS);
  if (!audioRef) return <span className={styles['at']}>{position}</span>;
  const seek = () => playFrom(audioRef, startS);
  return (
    <button type="button" className={styles['at']} aria-label={words.playFrom(position)} onClick={seek}>
      {position}
    </button>
  );
}
