/** Amounts per day as stacked bars. A table or text on the page must show the same numbers. */
import { AxisBottom, AxisLeft } from '@visx/axis';
import { Group } from '@visx/group';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { useEffect, useRef, useState } from 'react';
import { formatDay } from '../format/times.ts';
import styles from './day-chart.module.css';
import { Remarks } from './values.tsx';

const HEIGHT = 240;
const MARGIN = { top: 12, right: 8, bottom: 28, left: 64 };
/** Width of a day label, in pixels. */
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
  /** An ISO date. With `formatLabel`, an ISO time. */
  day: string;
  total: number;
  /** By series key. */
  amounts: Record<string, number>;
}

interface DayChartProps {
  label: string;
  series: readonly Series[];
  days: readonly DayAmounts[];
  /** Formats an amount. */
  format: (amount: number) => string;
  /** Name of the sum of a day; omitted if the sum has no meaning. */
  totalName?: string;
  height?: number;
  /** Amounts are counts: the axis has whole numbers only. */
  isCount?: boolean;
  /** Default: true. */
  hasLegend?: boolean;
  /** Formats a day. */
  formatLabel?: (day: string) => string;
}

export function DayChart(props: DayChartProps) {
  const { series, hasLegend = true } = props;
  const { box, width } = useWidth();
  return (
    <figure className={styles['chart']} ref={box}>
      <div style={{ height: props.height ?? HEIGHT }}>{width > 0 && <Bars {...props} width={width} />}</div>
      {hasLegend && (
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

function Bars(props: DayChartProps & { width: number }) {
  const { label, series, days, format, width, height = HEIGHT, isCount = false, formatLabel = formatDay } = props;
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const most = Math.max(...days.map(({ total }) => total));
  const x = scaleBand({ domain: days.map(({ day }) => day), range: [0, inner.width], padding: 0.25 });
  const y = scaleLinear({ domain: [0, most > 0 ? most : 1], range: [inner.height, 0], nice: true });
  const ticks = y.ticks(4).filter((tick) => !isCount || Number.isInteger(tick));
  const every = Math.ceil(days.length / Math.max(1, Math.floor(inner.width / LABEL_WIDTH)));
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <Group left={MARGIN.left} top={MARGIN.top}>
        {ticks.map((tick) => (
          <line key={tick} className={styles['grid']} x2={inner.width} y1={y(tick)} y2={y(tick)} />
        ))}
        <BarStack
          data={[...days]}
          keys={series.map(({ key }) => key)}
          value={({ amounts }, key) => amounts[key] ?? 0}
          x={({ day }) => day}
          xScale={x}
          yScale={y}
          color={(key) => colorOf(series, key)}
        />
        {days.map((each) => (
          <rect key={each.day} className={styles['day']} x={x(each.day)} width={x.bandwidth()} height={inner.height}>
            <title>{describe(each, props)}</title>
          </rect>
        ))}
        <AxisLeft scale={y} tickValues={ticks} tickFormat={(value) => format(Number(value))} hideAxisLine hideTicks />
        <AxisBottom
          scale={x}
          top={inner.height}
          tickValues={days.filter((_, index) => (days.length - 1 - index) % every === 0).map(({ day }) => day)}
          tickFormat={formatLabel}
          hideTicks
          stroke="var(--line-strong)"
        />
      </Group>
    </svg>
  );
}

function describe(
  { day, total, amounts }: DayAmounts,
  { series, format, totalName, formatLabel = formatDay }: DayChartProps,
): string {
  const parts = series
    .filter(({ key }) => amounts[key])
    .map(({ key, name }) => `${name}: ${format(amounts[key] ?? 0)}`);
  const sum = totalName === undefined ? '' : `: ${totalName} ${format(total)}`;
  return [`${formatLabel(day)}${sum}`, ...parts].join('\n');
}

/** Returns the current width of the element in pixels. */
function useWidth() {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}
