import { ChevronDown, ChevronUp } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import type { Turn } from '../../../../clients/typescript/src/index.ts';
import type { Quote } from '../../../../contract/result-fields.ts';
import { Button } from '../../components/button.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { formatPosition } from '../../format/durations.ts';
import { texts } from '../../texts/index.ts';
import type { Playback } from './playback.ts';
import { useQuotedWords } from './quoted-words.ts';
import type { Speaker } from './speakers.ts';
import { clearHighlights, findTurns, highlight } from './transcript-search.ts';
import { groupTurns, show, turnAt, turnIndex } from './turns.ts';
import { voiceOf } from './voices.ts';
import styles from './transcript.module.css';

const words = texts.session.transcript;

interface TranscriptProps {
  turns: readonly Turn[];
  speakers: readonly Speaker[];
  /** Undefined where nothing can be played. */
  playback: Playback | undefined;
  /** Words to be shown. */
  quoted: readonly Quote[];
}

/** What was said, all of it in the document: the browser's own find, printing and copying reach every turn. */
export function Transcript({ turns, speakers, playback, quoted }: TranscriptProps) {
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const [isFollowing, setFollowing] = useState(true);
  const [at, setAt] = useState(0);
  const found = findTurns(turns, query);
  useActiveTurn(list, playback, isFollowing);
  useQuotedWords(list, quoted, playback);

  useEffect(() => {
    if (list.current) highlight(list.current, found, query);
    return clearHighlights;
  });
  const step = (by: number) => {
    const next = (at + by + found.length) % found.length;
    setAt(next);
    if (list.current) show(list.current, found[next]);
  };
  const search = (text: string) => {
    setQuery(text);
    setAt(0);
    if (list.current) show(list.current, findTurns(turns, text)[0]);
  };
  return (
    <>
      <div className={styles['tools']}>
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
        <Button
          look="quiet"
          size="small"
          isIcon
          label={words.previous}
          disabled={found.length === 0}
          onClick={() => step(-1)}
        >
          <ChevronUp size={14} aria-hidden />
        </Button>
        <Button
          look="quiet"
          size="small"
          isIcon
          label={words.next}
          disabled={found.length === 0}
          onClick={() => step(1)}
        >
          <ChevronDown size={14} aria-hidden />
        </Button>
        {playback && (
          <label className={styles['follow']}>
            <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
            {words.follow}
          </label>
        )}
      </div>
      <Turns ref={list} turns={turns} speakers={speakers} playback={playback} />
    </>
  );
}

/** Marks the turn that is heard. 5,000 turns are not rendered anew for it. */
function useActiveTurn(
  list: React.RefObject<HTMLDivElement | null>,
  playback: Playback | undefined,
  isFollowing: boolean,
) {
  useEffect(() => {
    let active = -1;
    return playback?.onPosition((_, turn) => {
      if (turn === active || !list.current) return;
      turnAt(list.current, active)?.removeAttribute('data-active');
      const heard = turnAt(list.current, turn);
      heard?.setAttribute('data-active', '');
      active = turn;
      if (isFollowing && heard) scrollWithin(list.current, heard);
    });
  }, [list, playback, isFollowing]);
}

/** Scrolls the list and never the page. */
function scrollWithin(list: HTMLElement, turn: Element): void {
  const [box, at] = [list.getBoundingClientRect(), turn.getBoundingClientRect()];
  const isSeen = at.top >= box.top && at.bottom <= box.top + list.clientHeight;
  if (!isSeen) list.scrollTop += at.top - box.top - list.clientHeight / 3;
}

interface TurnsProps extends Omit<TranscriptProps, 'quoted'> {
  ref: React.Ref<HTMLDivElement>;
}

/** Each turn is as few elements as can be: there may be thousands. */
const Turns = memo(function Turns({ ref, turns, speakers, playback }: TurnsProps) {
  const spoken = new Map(
    speakers.map(({ role, name, index }) => [role, { name, look: `${styles['turn']} ${voiceOf(index)}` }]),
  );
  return (
    <div ref={ref} className={styles['turns']} role="list" tabIndex={0} aria-label={words.title}>
      {groupTurns(turns).map((group, number) => (
        <div key={number} className={styles['group']} style={guessHeight(group.length)} role="presentation">
          {group.map((turn, at) => (
            <div
              key={at}
              role="listitem"
              className={spoken.get(turn.role)?.look}
              data-number={turn.start_s === undefined ? turnIndex(number, at) + 1 : undefined}
            >
              {turn.start_s !== undefined && <At startS={turn.start_s} playback={playback} />}
              <div className={styles['role']}>{spoken.get(turn.role)?.name}</div>
              <div className={styles['text']}>{turn.text}</div>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
});

/** What a group takes before it is drawn: most turns have a speaker and one line or two. */
const guessHeight = (turns: number) => ({ containIntrinsicSize: `auto ${turns * 3.5}rem` });

function At({ startS, playback }: { startS: number; playback: Playback | undefined }) {
  const position = formatPosition(startS);
  if (!playback) return <span className={styles['at']}>{position}</span>;
  return (
    <button
      type="button"
      className={styles['at']}
      aria-label={words.playFrom(position)}
      onClick={() => playback.seek(startS)}
    >
      {position}
    </button>
  );
}
