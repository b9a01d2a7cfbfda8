/** Cost per day as stacked bars. What it shows is in the table below it, too. */
import { AxisBottom, AxisLeft } from '@visx/axis';
import { Group } from '@visx/group';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { useEffect, useRef, useState } from 'react';
import { formatDay } from '../../format/times.ts';
import { formatUsd } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import type { DayCosts, Series } from './usage-series.ts';
import styles from './usage.module.css';

const HEIGHT = 240;
const MARGIN = { top: 12, right: 8, bottom: 28, left: 64 };
/** Labels of days need this much room. */
const LABEL_WIDTH = 72;

const colorOf = (index: number) => `var(--series-${index + 1})`;

interface CostChartProps {
  label: string;
  series: readonly Series[];
  costs: readonly DayCosts[];
}

export function CostChart({ label, series, costs }: CostChartProps) {
  const { box, width } = useWidth();
  return (
    <figure className={styles['chart']} ref={box}>
      {width > 0 && <Bars {...{ label, series, costs, width }} />}
      <figcaption className={styles['legend']}>
        {series.map(({ key, name }, index) => (
          <span key={key}>
            <span className={styles['swatch']} style={{ background: colorOf(index) }} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Bars({ label, series, costs, width }: CostChartProps & { width: number }) {
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const most = Math.max(...costs.map(({ total }) => total));
  const x = scaleBand({ domain: costs.map(({ day }) => day), range: [0, inner.width], padding: 0.25 });
  const y = scaleLinear({ domain: [0, most > 0 ? most : 1], range: [inner.height, 0], nice: true });
  const every = Math.ceil(costs.length / Math.max(1, Math.floor(inner.width / LABEL_WIDTH)));
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={label}>
      <Group left={MARGIN.left} top={MARGIN.top}>
        {y.ticks(4).map((tick) => (
          <line key={tick} className={styles['grid']} x2={inner.width} y1={y(tick)} y2={y(tick)} />
        ))}
        <BarStack
          data={[...costs]}
          keys={series.map(({ key }) => key)}
          value={({ costs: of }, key) => of[key] ?? 0}
          x={({ day }) => day}
          xScale={x}
          yScale={y}
          color={(key) => colorOf(series.findIndex((each) => each.key === key))}
        />
        {costs.map((each) => (
          <rect key={each.day} className={styles['day']} x={x(each.day)} width={x.bandwidth()} height={inner.height}>
            <title>{describe(each, series)}</title>
          </rect>
        ))}
        <AxisLeft scale={y} numTicks={4} tickFormat={(value) => formatUsd(Number(value))} hideAxisLine hideTicks />
        <AxisBottom
          scale={x}
          top={inner.height}
          tickValues={costs.filter((_, index) => (costs.length - 1 - index) % every === 0).map(({ day }) => day)}
          tickFormat={formatDay}
          hideTicks
          stroke="var(--line-strong)"
        />
      </Group>
    </svg>
  );
}

function describe({ day, total, costs }: DayCosts, series: readonly Series[]): string {
  const parts = series.flatMap(({ key, name }) => {
    const usd = costs[key] ?? 0;
    return usd > 0 ? [`${name}: ${formatUsd(usd)}`] : [];
  });
  return [`${formatDay(day)}: ${texts.usage.total} ${formatUsd(total)}`, ...parts].join('\n');
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
