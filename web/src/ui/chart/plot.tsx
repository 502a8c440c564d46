import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { watchColours } from '../../design/theme/theme.ts';
import type { ChartProps, Series } from './chart-props.ts';
import { cssColour, readColour, readSeriesColour } from './colours.ts';

type PlotProps = ChartProps & { height: number };

/** Draws the chart with uPlot; loaded lazily with the first chart. */
export function Plot(props: PlotProps) {
  const { series, labels, format } = props;
  const box = useRef<HTMLDivElement>(null);
  const [bucket, setBucket] = useState<number>();
  const surface = useSyncExternalStore(watchColours, () => readColour('--surface'));
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const plot = new uPlot(
      plotOptions(props, element.clientWidth, setBucket),
      plotData(props),
      element,
    );
    const resize = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: props.height }),
    );
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [props.series, props.labels, props.kind, props.height, surface]);
  return (
    <>
      <div ref={box} aria-hidden="true" className="min-w-0 overflow-hidden" />
      <ul className="mt-2 flex min-h-6 flex-wrap gap-x-5 gap-y-1 text-sm" aria-hidden="true">
        {bucket !== undefined && <li className="text-muted">{labels[bucket]}</li>}
        {series.map((one) => (
          <li key={one.label} className="flex items-center gap-1.5">
            <span
              className="size-2.5 rounded-[2px]"
              style={{ background: cssColour(one.colour) }}
            />
            {one.label}
            {bucket !== undefined && <strong>{valueAt(one, bucket, format)}</strong>}
          </li>
        ))}
      </ul>
    </>
  );
}

function valueAt({ values }: Series, bucket: number, format: (value: number) => string): string {
  const value = values[bucket];
  return value === null || value === undefined ? '—' : format(value);
}

/** Columns are stacked: each series is added to those before it, and the tallest is drawn first. */
function plotData({ kind, series, labels }: PlotProps): uPlot.AlignedData {
  const indexes = labels.map((_, place) => place);
  if (kind === 'lines') return [indexes, ...series.map(({ values }) => [...values])];
  const sums = labels.map(() => 0);
  const stacked = series.map(({ values }) =>
    values.map((value, place) => {
      sums[place] = (sums[place] ?? 0) + (value ?? 0);
      return sums[place];
    }),
  );
  return [indexes, ...stacked.toReversed()];
}

function plotOptions(
  props: PlotProps,
  width: number,
  onBucket: (bucket: number | undefined) => void,
): uPlot.Options {
  const { kind, series, labels, format, height } = props;
  const axisColour = readColour('--muted');
  const grid = { stroke: readColour('--hairline'), width: 1 };
  const font = '12px Onest, system-ui, sans-serif';
  const drawnSeries = kind === 'columns' ? series.toReversed() : series;
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines' } },
    scales: {
      x: { time: false, range: () => [-0.5, labels.length - 0.5] },
      y: { range: (_plot, _min, max) => [0, axisMax(max)] },
    },
    axes: [
      {
        stroke: axisColour,
        font,
        grid: { show: false },
        ticks: { show: false },
        incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24],
        values: (_plot, splits) => splits.map((place) => labels[place] ?? ''),
        space: 64,
        size: 28,
      },
      {
        stroke: axisColour,
        font,
        grid,
        ticks: { show: false },
        size: 48,
        ...(series.every(isWhole) && { incrs: WHOLE_STEPS }),
        values: (_plot, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [{}, ...drawnSeries.map((one) => seriesOptions(one, kind))],
    hooks: { setCursor: [(plot) => onBucket(plot.cursor.idx ?? undefined)] },
  };
}

/** Of things that are counted there is no half: its label would be rounded, and repeated. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) => 10 ** power).flatMap((ten) => [
  ten,
  2 * ten,
  5 * ten,
]);

function isWhole({ values }: Series): boolean {
  return values.every((value) => value === null || Number.isInteger(value));
}

function axisMax(max: number | null): number {
  return max === null || max <= 0 ? 1 : max * 1.08;
}

function seriesOptions({ colour, label }: Series, kind: ChartProps['kind']): uPlot.Series {
  const stroke = readSeriesColour(colour);
  // Points are needed because a single value between gaps has no line.
  const points = { show: true, size: 5, fill: stroke };
  if (kind === 'lines') return { label, stroke, width: 2, points };
  const paths = uPlot.paths.bars?.({ size: [0.7, 40] });
  return { label, fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) };
}
