import { useId, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Skeleton } from '../display/skeleton.tsx';
import type { ChartProps } from './chart-props.ts';
import { LazyPlot } from './lazy-plot.tsx';
import { hasData } from './ticks.ts';

/** A chart that can also be shown as a table. */
export function Chart(props: ChartProps) {
  const { summary, unit, series, kind, height = 200 } = props;
  const title = unit === undefined ? props.title : `${props.title}, ${unit}`;
  const texts = useTexts().ui;
  const [isTable, setTable] = useState(false);
  const titleId = useId();
  const hasSomething = hasData(series, kind);
  return (
    <figure
      aria-labelledby={titleId}
      className="min-w-0 rounded-card border border-hairline bg-surface p-4"
    >
      <figcaption className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id={titleId} className="text-base">
          {title}
        </h2>
        {hasSomething && (
          <Button look="quiet" onClick={() => setTable(!isTable)}>
            {isTable ? texts.asChart : texts.asTable}
          </Button>
        )}
      </figcaption>
      {hasSomething && <p className="sr-only">{summary}</p>}
      {!hasSomething ? (
        <p
          className="grid place-items-center rounded-control bg-sunken text-table text-muted"
          style={{ height }}
        >
          {texts.noData}
        </p>
      ) : isTable ? (
        <ChartTable {...props} />
      ) : (
        <LazyPlot
          {...props}
          titleId={titleId}
          height={height}
          waiting={
            <div style={{ height }}>
              <Skeleton className="h-full" />
            </div>
          }
          instead={<ChartTable {...props} />}
        />
      )}
    </figure>
  );
}

function ChartTable({ title, labels, labelTitle, series, format }: ChartProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
    <section tabIndex={0} aria-label={title} className="max-h-80 overflow-auto">
      <table className="w-full text-table">
        <thead>
          <tr className="text-sm text-muted">
            <th scope="col" className="py-1 pe-3 text-start font-medium">
              {labelTitle}
            </th>
            {series.map(({ label }) => (
              <th key={label} scope="col" className="px-3 py-1 text-end font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, bucket) => (
            <tr key={label} className="border-t border-hairline">
              <th scope="row" className="py-1 pe-3 text-start font-normal whitespace-nowrap">
                {label}
              </th>
              {series.map(({ label: name, values }) => (
                <td key={name} className="px-3 py-1 text-end">
                  {formatValue(values[bucket], format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function formatValue(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '—' : format(value);
}
