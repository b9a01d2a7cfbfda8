import { Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Turn } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { formatPosition } from '../../format/durations.ts';
import { formatPercent } from '../../format/numbers.ts';
import { useKeys } from '../../palette/use-keys.ts';
import { texts } from '../../texts/index.ts';
import { nextSpeed, SPEEDS } from './playback.ts';
import type { Playback } from './playback.ts';
import { drawLane } from './speakers.ts';
import type { Speaker } from './speakers.ts';
import { voiceOf } from './voices.ts';
import styles from './player.module.css';

const words = texts.session.player;
const SKIP_S = 5;

interface PlayerProps {
  src: string;
  durationS: number | null;
  turns: readonly Turn[];
  speakers: readonly Speaker[];
  playback: Playback;
}

/** Plays a recording; who spoke when is the bar that one seeks on. */
export function Player({ src, durationS, turns, speakers, playback }: PlayerProps) {
  const [isPlaying, setPlaying] = useState(false);
  const [isGone, setGone] = useState(false);
  const [measuredS, setMeasuredS] = useState<number>();
  const audio = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    playback.attach(audio.current);
    return () => playback.attach(null);
  }, [playback, isGone]);
  const [speed, setSpeed] = useState(1);
  const changeSpeed = (next: number) => {
    playback.setSpeed(next);
    setSpeed(next);
  };
  useKeys((key) => {
    if (key === ' ') playback.toggle();
    else if (key === 'ArrowLeft') playback.skip(-SKIP_S);
    else if (key === 'ArrowRight') playback.skip(SKIP_S);
    else if (key === '[' || key === ']') changeSpeed(nextSpeed(speed, key === ']' ? 1 : -1));
    else return false;
    return true;
  });
  const lengthS = measuredS ?? durationS ?? 0;
  if (isGone) return <p className={styles['none']}>{words.gone}</p>;
  return (
    <div className={styles['player']}>
      <audio
        ref={audio}
        src={src}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onLoadedMetadata={({ currentTarget: { duration } }) => Number.isFinite(duration) && setMeasuredS(duration)}
        onError={() => setGone(true)}
      />
      <Lanes {...{ turns, speakers, lengthS, playback }} />
      <div className={styles['controls']}>
        <Button look="primary" isIcon label={isPlaying ? words.pause : words.play} onClick={() => playback.toggle()}>
          {isPlaying ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
        </Button>
        <Button look="quiet" isIcon label={words.back(SKIP_S)} onClick={() => playback.skip(-SKIP_S)}>
          <RotateCcw size={15} aria-hidden />
        </Button>
        <Button look="quiet" isIcon label={words.ahead(SKIP_S)} onClick={() => playback.skip(SKIP_S)}>
          <RotateCw size={15} aria-hidden />
        </Button>
        <Position lengthS={lengthS} playback={playback} />
        <Choice
          label={words.speed}
          value={speed}
          options={SPEEDS.map((speed) => ({ value: String(speed), label: `${speed}×` }))}
          onChange={(event) => changeSpeed(Number(event.target.value))}
        />
        <Speakers speakers={speakers} />
      </div>
    </div>
  );
}

type LanesProps = Pick<PlayerProps, 'turns' | 'speakers' | 'playback'> & { lengthS: number };

function Lanes({ turns, speakers, lengthS, playback }: LanesProps) {
  const head = useRef<HTMLSpanElement>(null);
  const range = useRef<HTMLInputElement>(null);
  useEffect(
    () =>
      playback.onPosition((seconds) => {
        if (head.current) head.current.style.left = `${(seconds / (lengthS || 1)) * 100}%`;
        if (range.current) range.current.value = String(seconds);
      }),
    [playback, lengthS],
  );
  return (
    <div className={styles['lanes']}>
      {speakers.map(({ role, index }) => (
        <svg
          key={role}
          className={`${styles['lane']} ${voiceOf(index)}`}
          viewBox={`0 0 ${lengthS || 1} 1`}
          preserveAspectRatio="none"
          aria-hidden
        >
          <path d={drawLane(turns, role)} />
        </svg>
      ))}
      {speakers.length === 0 && <span className={styles['lane']} />}
      <span ref={head} className={styles['head']} aria-hidden />
      <input
        ref={range}
        className={styles['seek']}
        type="range"
        aria-label={words.position}
        min={0}
        max={lengthS}
        step={0.1}
        defaultValue={0}
        onInput={(event) => playback.seek(Number(event.currentTarget.value))}
      />
    </div>
  );
}

function Position({ lengthS, playback }: { lengthS: number; playback: Playback }) {
  const shown = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      playback.onPosition((seconds) => {
        if (shown.current) shown.current.textContent = formatPosition(seconds);
      }),
    [playback],
  );
  return (
    <span className={styles['position']}>
      <span ref={shown}>0:00</span> / {formatPosition(lengthS)}
    </span>
  );
}

export const Speakers = ({ speakers }: { speakers: readonly Speaker[] }) => (
  <ul className={styles['speakers']} aria-label={words.talkShare}>
    {speakers.map(({ role, name, index, share }) => (
      <li key={role} className={voiceOf(index)}>
        <span className={styles['dot']} aria-hidden />
        {name} {formatPercent(share)}
      </li>
    ))}
  </ul>
);
