/** Amounts per day as stacked bars. What it shows stands beside it in words or a table, too. */
import { AxisBottom, AxisLeft } from '@visx/axis';
import { Group } from '@visx/group';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { useEffect, useRef, useState } from 'react';
import { formatDay } from '../format/times.ts';
import styles from './day-chart.module.css';
import { Remarks } from './values.tsx';

const MARGIN = { top: 12, right: 8, bottom: 28, left: 64 };
/** Labels of days need this much room. */
const LABEL_WIDTH = 72;

const colorOf = (index: number) => `var(--series-${index + 1})`;

export interface Series {
  key: string;
  name: string;
}

export interface DayAmounts {
  day: string;
  total: number;
  /** By the key of the series. */
  amounts: Record<string, number>;
}

interface DayChartProps {
  label: string;
  series: readonly Series[];
  days: readonly DayAmounts[];
  /** Says an amount. */
  format: (amount: number) => string;
  /** What the amounts of a day are together; left out where their sum means nothing. */
  totalName?: string;
  height?: number;
  /** Amounts are counts: the axis names whole ones only. */
  isCount?: boolean;
}

export function DayChart(props: DayChartProps) {
  const { series } = props;
  const { box, width } = useWidth();
  return (
    <figure className={styles['chart']} ref={box}>
      {width > 0 && <Bars {...props} width={width} />}
      <figcaption>
        <Remarks>
          {series.map(({ key, name }, index) => (
            <span key={key} className={styles['named']}>
              <span className={styles['swatch']} style={{ background: colorOf(index) }} />
              {name}
            </span>
          ))}
        </Remarks>
      </figcaption>
    </figure>
  );
}

function Bars(props: DayChartProps & { width: number }) {
  const { label, series, days, format, totalName, width, height = 240, isCount = false } = props;
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
          color={(key) => colorOf(series.findIndex((each) => each.key === key))}
        />
        {days.map((each) => (
          <rect key={each.day} className={styles['day']} x={x(each.day)} width={x.bandwidth()} height={inner.height}>
            <title>{describe(each, { series, format, totalName })}</title>
          </rect>
        ))}
        <AxisLeft scale={y} tickValues={ticks} tickFormat={(value) => format(Number(value))} hideAxisLine hideTicks />
        <AxisBottom
          scale={x}
          top={inner.height}
          tickValues={days.filter((_, index) => (days.length - 1 - index) % every === 0).map(({ day }) => day)}
          tickFormat={formatDay}
          hideTicks
          stroke="var(--line-strong)"
        />
      </Group>
    </svg>
  );
}

function describe(
  { day, total, amounts }: DayAmounts,
  { series, format, totalName }: Pick<DayChartProps, 'series' | 'format'> & { totalName: string | undefined },
): string {
  const parts = series.flatMap(({ key, name }) => {
    const amount = amounts[key] ?? 0;
    return amount === 0 ? [] : [`${name}: ${format(amount)}`];
  });
  const sum = totalName === undefined ? '' : `: ${totalName} ${format(total)}`;
  return [`${formatDay(day)}${sum}`, ...parts].join('\n');
}

/** Returns the width of the element in pixels, and follows it. */
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
