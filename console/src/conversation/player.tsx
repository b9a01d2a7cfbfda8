import { Download, Link2, Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import { memo, useEffect, useState, type RefObject, type SyntheticEvent } from 'react';
import type { Turn } from 'conversation-analysis-client';
import { Button, ButtonAnchor } from '../components/button.tsx';
import { Choice } from '../components/choice.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { formatPosition } from '../format/durations.ts';
import { savePreferences, usePreferences } from '../format/preferences.ts';
import { useKeys } from '../components/use-keys.ts';
import { texts } from '../texts/index.ts';
import type { Speaker } from './speakers.tsx';
import styles from './player.module.css';

const words = texts.session.player;
const SKIP_S = 5;
const SPEEDS = [0.75, 1, 1.25, 1.5, 2];

interface PlayerProps {
  audioRef: RefObject<HTMLAudioElement | null>;
  src: string;
  durationS: number | null;
  turns: readonly Turn[];
  speakers: readonly Speaker[];
  /** The position to start at, in seconds. */
  startS: number;
  /** The URL of the page to link to. */
  page: string;
  onPosition: (seconds: number) => void;
}

/** Plays a recording. The seek bar shows when each speaker spoke. */
export function Player({ audioRef, src, durationS, turns, speakers, startS, page, onPosition }: PlayerProps) {
  const [isPlaying, setPlaying] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<'gone' | 'failed'>();
  const [lengthS, setLengthS] = useState(durationS ?? 0);
  const [seconds, setSeconds] = useState(startS);
  const { speed } = usePreferences();
  useEffect(() => {
    const audio = audioRef.current;
    // Loading a recording resets the speed to the default.
    if (audio) audio.playbackRate = audio.defaultPlaybackRate = speed;
  }, [audioRef, speed]);
  const follow = ({ currentTarget: { currentTime } }: SyntheticEvent<HTMLAudioElement>) => {
    setSeconds(currentTime);
    onPosition(currentTime);
  };
  // A recording that has not been played reports no position.
  const seek = (to: number) => {
    setSeconds(to);
    onPosition(to);
    if (audioRef.current) moveTo(audioRef.current, to);
  };
  useEffect(() => {
    if (startS > 0 && audioRef.current) moveTo(audioRef.current, startS);
  }, [audioRef, startS]);
  const skip = (by: number) => seek(Math.max(0, seconds + by));
  const toggle = () => (audioRef.current?.paused ? play(audioRef.current) : audioRef.current?.pause());
  const changeSpeed = (next = speed) => savePreferences({ speed: next });
  useKeys((key) => {
    if (key === ' ') toggle();
    else if (key === 'ArrowLeft') skip(-SKIP_S);
    else if (key === 'ArrowRight') skip(SKIP_S);
    else if (key === '[') changeSpeed(SPEEDS[SPEEDS.indexOf(speed) - 1]);
    else if (key === ']') changeSpeed(SPEEDS[SPEEDS.indexOf(speed) + 1]);
    else return false;
    return true;
  });
  if (failure === 'gone') return <p className={`note ${styles['none']}`}>{words.gone}</p>;
  const retry = () => {
    setFailure(undefined);
    audioRef.current?.load();
    playFrom(audioRef, seconds);
  };
  return (
    <>
      <audio
        ref={audioRef}
        src={src}
        // Reading the recording is audited, so it starts with the first play.
        preload="none"
        onPlay={() => setPlaying(true)}
        onWaiting={() => setLoading(true)}
        onPlaying={() => setLoading(false)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => {
          // WebKit does not report that it plays again after a jump.
          setLoading(false);
          follow(event);
        }}
        onSeeking={follow}
        onSeeked={follow}
        onLoadedMetadata={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration)) setLengthS(currentTarget.duration);
          startAtChosen(currentTarget);
        }}
        onError={() => void findFailure(src).then(setFailure)}
      />
      {failure === 'failed' ? (
        <PlaybackFailed src={src} onRetry={retry} />
      ) : (
        <div className={styles['player']}>
          <div className={styles['lanes']}>
            <Lanes turns={turns} speakers={speakers} lengthS={lengthS || 1} />
            <span className={styles['head']} style={{ left: `${(seconds / (lengthS || 1)) * 100}%` }} aria-hidden />
            <input
              className={styles['seek']}
              type="range"
              aria-label={words.position}
              max={lengthS}
              step={0.1}
              value={seconds}
              onChange={({ target }) => seek(Number(target.value))}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
                event.preventDefault();
                skip(event.key === 'ArrowLeft' ? -SKIP_S : SKIP_S);
              }}
            />
          </div>
          <div className="row">
            <Button isIcon label={isPlaying ? words.pause : words.play} onClick={toggle}>
              {isPlaying ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
            </Button>
            <Button look="quiet" isIcon label={words.back(SKIP_S)} onClick={() => skip(-SKIP_S)}>
              <RotateCcw size={16} aria-hidden />
            </Button>
            <Button look="quiet" isIcon label={words.ahead(SKIP_S)} onClick={() => skip(SKIP_S)}>
              <RotateCw size={16} aria-hidden />
            </Button>
            <span className={`note ${styles['position']}`}>
              {isLoading && isPlaying
                ? texts.common.loading
                : `${formatPosition(seconds)} / ${formatPosition(lengthS)}`}
            </span>
            <Choice
              label={words.speed}
              value={String(speed)}
              options={SPEEDS.map((each) => ({ value: String(each), label: `${each}×` }))}
              onChoose={(value) => changeSpeed(Number(value))}
            />
            <CopyButton text={`${page}?t=${Math.floor(seconds)}`} label={words.copyMoment} icon={Link2} />
            <ButtonAnchor look="quiet" size="small" isIcon href={src} download label={words.download}>
              <Download size={14} aria-hidden />
            </ButtonAnchor>
          </div>
        </div>
      )}
    </>
  );
}

/** Starts playback. The player itself shows why a recording can't be played. */
const play = (audio: HTMLAudioElement) => void audio.play().catch(() => undefined);

/** Chosen moments of recordings that are not loaded. WebKit does not play a recording that was moved before. */
const chosen = new WeakMap<HTMLAudioElement, number>();

function moveTo(audio: HTMLAudioElement, seconds: number): void {
  if (audio.readyState > 0) audio.currentTime = seconds;
  else chosen.set(audio, seconds);
}

function startAtChosen(audio: HTMLAudioElement): void {
  const seconds = chosen.get(audio) ?? 0;
  chosen.delete(audio);
  if (seconds > 0) audio.currentTime = seconds;
}

/** Starts at a moment of the recording. */
export function playFrom({ current: audio }: RefObject<HTMLAudioElement | null>, seconds: number): void {
  if (!audio) return;
  moveTo(audio, seconds);
  play(audio);
}

/** An element that plays reports every failure alike, also one of the sound card. */
async function findFailure(src: string): Promise<'gone' | 'failed'> {
  // Not HEAD, which does not look into the store.
  const response = await fetch(src, { headers: { Range: 'bytes=0-0' } }).catch(() => undefined);
  return response?.status === 404 || response?.status === 410 ? 'gone' : 'failed';
}

const PlaybackFailed = ({ src, onRetry }: { src: string; onRetry: () => void }) => (
  <div className={`row ${styles['none']}`} role="alert">
    <span className="note">{words.failed}</span>
    <Button onClick={onRetry}>{texts.common.tryAgain}</Button>
    <ButtonAnchor href={src} download>
      {words.download}
    </ButtonAnchor>
  </div>
);

/** One lane per speaker. All turns of a speaker are one path: a long recording has thousands of turns. */
const Lanes = memo(function Lanes({
  turns,
  speakers,
  lengthS,
}: Pick<PlayerProps, 'turns' | 'speakers'> & { lengthS: number }) {
  if (speakers.length === 0) return <span className={styles['lane']} />;
  return speakers.map(({ role, voice }) => (
    <svg
      key={role}
      className={`${styles['lane']} ${voice}`}
      viewBox={`0 0 ${lengthS} 1`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path
        d={turns
          .filter((turn) => turn.role === role)
          .map(({ start_s, end_s }) =>
            start_s === undefined || end_s === undefined ? '' : `M${start_s} 0H${end_s}V1H${start_s}Z`,
          )
          .join('')}
      />
    </svg>
  ));
});
