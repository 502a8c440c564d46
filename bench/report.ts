import { type Measured, median } from './measure.ts';

/** What a block is compared with, and the target ratio. */
export type Goal = {
  block: string;
  against: string;
  /** Absent: calls per second. */
  figure?: 'p50' | 'p99';
  /** A minimum for calls per second, a maximum for a latency. Absent: the ratio is only shown. */
  ratio?: number;
  p99Ms?: number;
};

export const GOALS: readonly Goal[] = [
  { block: 'send, 64 connections', against: 'echo, 64 connections', ratio: 0.5, p99Ms: 30 },
  { block: 'send, 256 connections', against: 'echo, 256 connections', ratio: 0.6 },
  { block: 'send, 64 connections', against: 'naive, 64 connections', ratio: 10 },
  { block: 'send, 200 companies', against: 'send, 64 connections', ratio: 1 },
  { block: 'verify, 64 connections', against: 'echo, 64 connections', ratio: 0.7 },
  { block: 'shorten, 64 connections', against: 'echo, 64 connections', ratio: 0.4 },
  { block: 'redirect, 64 connections', against: 'echo, 64 connections', ratio: 0.8 },
  { block: 'sms at 0 ms, 64 connections', against: 'send, 64 connections', ratio: 0.8 },
  { block: 'send at 50 ms', against: 'bare call at 50 ms', figure: 'p50', ratio: 1.08 },
  {
    block: 'sms at 5 ms, whatsapp at 50 ms',
    against: 'sms at 5 ms, whatsapp at 5 ms',
    figure: 'p99',
    ratio: 1.2,
  },
  {
    block: 'send, 500/s beside sign-ins',
    against: 'send, 500/s',
    figure: 'p99',
    ratio: 1.5,
  },
  { block: 'send, 1,000,000 past', against: 'send, 10,000 past', ratio: 0.9 },
  { block: 'verify, 1,000,000 past', against: 'verify, 10,000 past', ratio: 0.9 },
];

export type Figures = {
  perSecond: number;
  p50: number;
  p99: number;
  serverMicros: number;
  databaseMicros: number;
  /** The processor share of the simulated provider, where there is one. */
  providerShare: number;
};

export type Comparison = Goal & {
  /** The median of the rounds' ratios, the smallest and the largest. */
  median: number;
  min: number;
  max: number;
  /** Absent when there is no goal. */
  isReached?: boolean;
};

/** The rounds of each block, without the warm-up round. */
export type Rounds = ReadonlyMap<string, readonly Measured[]>;

export function summarizeRounds(rounds: Rounds): Record<string, Figures> {
  const medianOf = (measured: readonly Measured[], key: keyof Figures) =>
    median(measured.map((one) => one[key]));
  return Object.fromEntries(
    [...rounds].map(([name, measured]) => [
      name,
      {
        perSecond: medianOf(measured, 'perSecond'),
        p50: medianOf(measured, 'p50'),
        p99: medianOf(measured, 'p99'),
        serverMicros: medianOf(measured, 'serverMicros'),
        databaseMicros: medianOf(measured, 'databaseMicros'),
        providerShare: medianOf(measured, 'providerShare'),
      },
    ]),
  );
}

export function compare(rounds: Rounds): Comparison[] {
  return GOALS.flatMap((goal) => {
    const own = rounds.get(goal.block);
    const other = rounds.get(goal.against);
    if (own === undefined || other === undefined) return [];
    const figure = goal.figure ?? 'perSecond';
    const ratios = own.map((one, at) => one[figure] / (other[at]?.[figure] ?? Number.NaN));
    const p99 = median(own.map((one) => one.p99));
    const medianRatio = median(ratios);
    return [
      {
        ...goal,
        median: medianRatio,
        min: Math.min(...ratios),
        max: Math.max(...ratios),
        ...(goal.ratio !== undefined && { isReached: isReached(goal, medianRatio, p99) }),
      },
    ];
  });
}

function isReached({ figure, ratio = 0, p99Ms }: Goal, medianRatio: number, p99: number): boolean {
  const isGood = figure === undefined ? medianRatio >= ratio : medianRatio <= ratio;
  return isGood && p99 <= (p99Ms ?? Number.POSITIVE_INFINITY);
}

function goalText({ figure, ratio, p99Ms }: Goal): string {
  if (ratio === undefined) return '';
  const limit = p99Ms === undefined ? '' : `, p99 <= ${p99Ms} ms`;
  return `${figure === undefined ? '>=' : '<='} ${ratio}${limit}`;
}

/** Above this processor share the simulated provider may have been the bottleneck. */
const PROVIDER_SHARE_MAX = 0.7;

function listWarnings(figures: Readonly<Record<string, Figures>>): string[] {
  return Object.entries(figures)
    .filter(([, { providerShare }]) => providerShare > PROVIDER_SHARE_MAX)
    .map(([name]) => `${name}: the simulated provider was busy and may have been the bottleneck`);
}

export function formatReport(rounds: Rounds): string {
  const figures = summarizeRounds(rounds);
  const rows = Object.entries(figures).map(([name, figure]) => {
    const isBaseline = /^(?:echo|naive|bare)/.test(name);
    return [
      name,
      Math.round(figure.perSecond).toLocaleString('en'),
      figure.p50.toFixed(1),
      figure.p99.toFixed(1),
      isBaseline ? '' : figure.serverMicros.toFixed(0),
      isBaseline ? '' : figure.databaseMicros.toFixed(0),
      figure.providerShare === 0 ? '' : `${(100 * figure.providerShare).toFixed(0)} %`,
    ];
  });
  const ratios = compare(rounds).map((one) => [
    `${one.figure === undefined ? '' : `${one.figure} of `}${one.block} / ${one.against}`,
    one.median.toFixed(2),
    `${one.min.toFixed(2)}-${one.max.toFixed(2)}`,
    goalText(one),
    one.isReached === undefined ? '' : one.isReached ? 'reached' : 'MISSED',
  ]);
  return [
    columns([['', 'calls/s', 'p50 ms', 'p99 ms', 'server µs', 'database µs', 'provider'], ...rows]),
    ...listWarnings(figures),
    '',
    columns([['ratio, median of the rounds', '', 'min-max', 'goal', ''], ...ratios]),
  ].join('\n');
}

export function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
