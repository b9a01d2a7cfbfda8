/** Amounts per day as stacked bars. A table or text on the page must show the same numbers. */
import { Fragment, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { formatDay } from '../format/times.ts';
import styles from './day-chart.module.css';
import { Remarks } from './values.tsx';

/** The unit of all lengths is a pixel at the usual text size: charts grow with the text. */
const REM = 16;
const HEIGHT = 240;
const MARGIN = { top: 12, right: 8, bottom: 28, left: 64 };
/** Width of a day label. */
const LABEL_WIDTH = 72;

export interface Series {
  key: string;
  name: string;
  /** Default: the next of the six series colors. */
  color?: string;
}

const colorOf = (series: readonly Series[], key: string) => {
  const index = series.findIndex((each) => each.key === key);
  return series[index]?.color ?? `var(--series-${index + 1})`;
};

interface DayAmounts {
  /** An ISO date. */
  day: string;
  total: number;
  /** By series key. */
  amounts: Record<string, number>;
}

interface DayChartProps {
  label: string;
  series: readonly Series[];
  days: readonly DayAmounts[];
  format: (amount: number) => string;
  /** Name of the sum of a day; omitted if the sum has no meaning. */
  totalName?: string;
  height?: number;
  /** Amounts are counts: the axis has whole numbers only. */
  isCount?: boolean;
  /** Opens what a bar counts. */
  onOpen?: ((day: string) => void) | undefined;
}

export function DayChart(props: DayChartProps) {
  const { series } = props;
  const { box, width } = useWidth();
  const [shown, setShown] = useState(-1);
  const day = props.days[shown];
  return (
    <figure className={styles['chart']} ref={box}>
      <div style={{ height: `${(props.height ?? HEIGHT) / REM}rem` }}>
        {width > 0 && <Bars {...props} width={width} shown={shown} onShow={setShown} />}
      </div>
      <p className={`note ${styles['shown']}`} role="status">
        {day && describe(day, props)}
      </p>
      {series.length > 1 && (
        <figcaption>
          <Remarks>
            {series.map(({ key, name }) => (
              <span key={key} className={styles['key']}>
                <span className={styles['swatch']} data-shape style={{ background: colorOf(series, key) }} />
                {name}
              </span>
            ))}
          </Remarks>
        </figcaption>
      )}
    </figure>
  );
}

interface BarsProps extends DayChartProps {
  width: number;
  /** The index of the day whose amounts are shown as text; -1 for none. */
  shown: number;
  onShow: (index: number) => void;
}

function Bars(props: BarsProps) {
  const { shown, onShow, onOpen } = props;
  const { label, series, days, format, width, height = HEIGHT, isCount = false } = props;
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const ticks = ticksUpTo(Math.max(...days.map(({ total }) => total)), isCount);
  const heightOf = (amount: number) => (amount / (ticks.at(-1) ?? 1)) * inner.height;
  const slot = inner.width / days.length;
  const bar = { x: slot * 0.125, width: slot * 0.75 };
  const every = Math.ceil(days.length / Math.max(1, Math.floor(inner.width / LABEL_WIDTH)));
  const showLast = () => shown < 0 && onShow(days.findLastIndex(({ total }) => total > 0));
  const onKey = ({ key }: KeyboardEvent) => {
    const day = days[shown];
    if (key === 'ArrowLeft') onShow(Math.max(0, shown - 1));
    if (key === 'ArrowRight') onShow(Math.min(days.length - 1, shown + 1));
    if (key === 'Enter' && day) onOpen?.(day.day);
  };
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      tabIndex={0}
      onFocus={showLast}
      onKeyDown={onKey}
    >
      <g transform={`translate(${MARGIN.left}, ${MARGIN.top})`}>
        {ticks.map((tick) => (
          <g key={tick} transform={`translate(0, ${inner.height - heightOf(tick)})`}>
            <line className={styles[tick === 0 ? 'base' : 'grid']} x2={inner.width} />
            <text x={-8} dy="0.25em" textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {days.map((each, index) => (
          <g key={each.day} transform={`translate(${index * slot}, 0)`}>
            {series.map(({ key }, place) => {
              const top = inner.height - heightOf(sumOf(series.slice(0, place + 1), each));
              return (
                <rect
                  {...bar}
                  key={key}
                  y={top}
                  height={heightOf(each.amounts[key] ?? 0)}
                  fill={colorOf(series, key)}
                />
              );
            })}
            <rect
              {...bar}
              className={styles['day']}
              data-shown={index === shown || undefined}
              data-link={onOpen && ''}
              height={inner.height}
              onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onShow(index)}
              // The first touch shows the amounts, the second one opens them.
              onClick={() => (index === shown ? onOpen?.(each.day) : onShow(index))}
            />
            {(days.length - 1 - index) % every === 0 && (
              <text x={slot / 2} y={inner.height + 18} textAnchor="middle">
                {formatDay(each.day)}
              </text>
            )}
          </g>
        ))}
      </g>
    </svg>
  );
}

/** Returns round numbers from 0 to at least `most`, about four steps apart. */
function ticksUpTo(most: number, isCount: boolean): number[] {
  const rough = (most > 0 ? most : 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const every = isCount ? Math.max(1, step) : step;
  return Array.from({ length: Math.max(1, Math.ceil(most / every)) + 1 }, (_, index) => index * every);
}

const sumOf = (series: readonly Series[], { amounts }: DayAmounts) =>
  series.reduce((sum, { key }) => sum + (amounts[key] ?? 0), 0);

function describe({ day, total, amounts }: DayAmounts, { series, format, totalName }: DayChartProps): ReactNode {
  const sum = totalName === undefined ? '' : `: ${totalName} ${format(total)}`;
  const parts = series
    .filter(({ key }) => amounts[key])
    .map(({ key, name }) => (
      <Fragment key={key}>
        {' · '}
        <bdi>{name}</bdi>: {format(amounts[key] ?? 0)}
      </Fragment>
    ));
  return [`${formatDay(day)}${sum}`, ...parts];
}

/** Returns the current width of the element. */
function useWidth() {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      setWidth(Math.floor(((entry?.contentRect.width ?? 0) * REM) / rem));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}
