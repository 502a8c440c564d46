import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { watchColours } from '../../design/theme/theme.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import type { ChartProps, Series } from './chart-props.ts';
import { cssColour, readColour, readSeriesColour } from './colours.ts';
import { labelPlaces, lonePoints, valueAxis } from './ticks.ts';

type PlotProps = ChartProps & { titleId: string; height: number };

/** Draws the chart with uPlot; loaded lazily with the first chart. */
export function Plot(props: PlotProps) {
  const { series, labels, format, titleId } = props;
  const texts = useTexts().ui;
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
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
    drawn.current = plot;
    const resize = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: props.height }),
    );
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [props.series, props.labels, props.kind, props.height, surface]);

  /** Puts the cursor of the chart onto a bucket, as a mouse would. */
  const pointAt = (place: number) => {
    const last = labels.length - 1;
    const chosen = Math.min(last, Math.max(0, place));
    drawn.current?.setCursor({ left: drawn.current.valToPos(chosen, 'x'), top: 0 });
    setBucket(chosen);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = labels.length - 1;
    const now = bucket ?? last;
    const places: Record<string, number> = {
      ArrowLeft: bucket === undefined ? last : now - 1,
      ArrowRight: bucket === undefined ? 0 : now + 1,
      Home: 0,
      End: last,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    pointAt(place);
  };
  const shown = bucket ?? labels.length - 1;
  const told = series.map((one) => `${one.label} ${valueAt(one, shown, format)}`).join(', ');
  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-labelledby={titleId}
        aria-description={texts.chartKeys}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, labels.length - 1)}
        aria-valuenow={shown}
        aria-valuetext={`${labels[shown] ?? ''}: ${told}`}
        className="min-w-0 rounded-control"
        onKeyDown={onKeyDown}
        onBlur={() => setBucket(undefined)}
      >
        <div ref={box} aria-hidden="true" className="min-w-0 overflow-hidden" />
      </div>
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

const FONT = '12px Onest, system-ui, sans-serif';
/** A generous width of a character of the axes. */
const CHARACTER_PX = 7;
const AXIS_GAP_PX = 14;
const LABEL_GAP_PX = 16;

function plotOptions(
  props: PlotProps,
  width: number,
  onBucket: (bucket: number | undefined) => void,
): uPlot.Options {
  const { kind, series, labels, height, format, axisFormat = format, isShare = false } = props;
  const axisColour = readColour('--muted');
  const grid = { stroke: readColour('--hairline'), width: 1 };
  const drawnSeries = kind === 'columns' ? series.toReversed() : series;
  const { min, max, ticks } = valueAxis(plotData(props).slice(1).flat() as (number | null)[], {
    isShare,
  });
  const widest = Math.max(...ticks.map((tick) => axisFormat(tick).length));
  const labelPx = Math.max(...labels.map((label) => label.length)) * CHARACTER_PX + LABEL_GAP_PX;
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines' } },
    scales: {
      x: { time: false, range: () => [-0.5, labels.length - 0.5] },
      y: { range: () => [min, max] },
    },
    axes: [
      {
        stroke: axisColour,
        font: FONT,
        grid: { show: false },
        ticks: { show: false },
        splits: ({ bbox }) =>
          labelPlaces(labels.length, { widthPx: bbox.width / devicePixelRatio, labelPx }),
        values: (_plot, splits) => splits.map((place) => labels[place] ?? ''),
        size: 28,
      },
      {
        stroke: axisColour,
        font: FONT,
        grid,
        ticks: { show: false },
        size: widest * CHARACTER_PX + AXIS_GAP_PX,
        splits: () => ticks,
        values: (_plot, splits) => splits.map((value) => axisFormat(value)),
      },
    ],
    series: [{}, ...drawnSeries.map((one) => seriesOptions(one, kind))],
    hooks: { setCursor: [(plot) => onBucket(plot.cursor.idx ?? undefined)] },
  };
}

function seriesOptions({ colour, label, values }: Series, kind: ChartProps['kind']): uPlot.Series {
  const stroke = readSeriesColour(colour);
  if (kind === 'lines') {
    const lone = lonePoints(values);
    const points = { show: lone.length > 0, size: 6, fill: stroke, filter: () => lone };
    return { label, stroke, width: 2, points };
  }
  const paths = uPlot.paths.bars?.({ size: [0.7, 40] });
  return { label, fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) };
}
