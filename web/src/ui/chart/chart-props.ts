import type { ChartColour } from './colours.ts';

export type Series = {
  label: string;
  colour: ChartColour;
  values: readonly (number | null)[];
};

export type ChartProps = {
  title: string;
  /** One sentence about the content of the chart, for screen readers. */
  summary: string;
  kind: 'columns' | 'lines';
  /** One label per bucket: an hour, a day. */
  labels: readonly string[];
  /** The title of the labels, for the first column of the table: "День". */
  labelTitle: string;
  series: readonly Series[];
  format: (value: number) => string;
  /** Said once, after the title: "Расход, ₸". The axis has bare numbers then. */
  unit?: string;
  /** Of the axis, where it is not that of the values. */
  axisFormat?: (value: number) => string;
  /** The values are shares of one: the axis ends at 100 %. */
  isShare?: boolean;
  height?: number;
};
