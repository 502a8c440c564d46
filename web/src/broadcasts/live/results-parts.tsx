import { Link } from '@tanstack/react-router';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { SKIP_REASONS } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import { type ReactNode, useMemo } from 'react';
import type { Answer } from '../../call.ts';
import { type ProgressTexts, useProgressTexts } from '../../texts/use-progress-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Chart } from '../../ui/chart/chart.tsx';
import { Card } from '../../ui/display/card.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Bar } from '../progress-bar.tsx';
import { sharesOf } from './shares.ts';

export type Results = Answer<'results'>;

/** A reason in words: those of the provider, or ours for a recipient who was skipped. */
export function reasonWords(
  { reason, channel }: { reason: string | null; channel: string | null },
  texts: ProgressTexts,
): string {
  const skipped = channel === null ? SKIP_REASONS.find((word) => word === reason) : undefined;
  if (skipped !== undefined) return texts.skipped[skipped];
  return reason || texts.noReason;
}

/** How many got it, read it and went on; the shares are of all recipients. */
export function Funnel({ progress }: { progress: Progress }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const { recipients, outcomes, clicked, unsubscribed } = progress;
  const delivered = outcomes.delivered + outcomes.read;
  const steps = [
    ['sent', outcomes.sent + delivered, 'text-brand'],
    ['delivered', delivered, 'text-ok/70'],
    ['read', outcomes.read, 'text-ok'],
    ['clicked', clicked, 'text-info'],
    ['unsubscribed', unsubscribed, 'text-warn'],
  ] as const;
  return (
    <Card title={texts.funnel}>
      <ul className="grid gap-3">
        {steps.map(([name, count, colour]) => {
          const share = recipients === 0 ? 0 : count / recipients;
          return (
            <li key={name} className="grid gap-1">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-table">
                <span>{texts.funnelSteps[name]}</span>
                <span>
                  <span className="font-medium">{format.number(count)}</span>{' '}
                  <span className="text-muted">{format.percent(share)}</span>
                </span>
              </div>
              <Bar height={8} parts={[{ share, colour }]} />
            </li>
          );
        })}
      </ul>
      <p className="mt-4 text-sm text-muted">{texts.funnelNote}</p>
    </Card>
  );
}

const LINES = [
  ['sent', 'brand'],
  ['delivered', 'ok'],
  ['failed', 'bad'],
  ['clicked', 'warn'],
] as const;
/** Longer than a day: the hour alone would not say which. */
const HOURS_OF_DAY = 24;
/** `17` of `17 ноя`: labels have to be short. */
const dayOf = (date: string) => date.split('\u00a0')[0];

export function TimesChart({ results }: { results: Results }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const { step, times } = results;
  const labels = useMemo(
    () =>
      times.map(({ at }) =>
        step === 'hour' && times.length > HOURS_OF_DAY
          ? `${dayOf(format.date(at))}, ${format.clock(at)}`
          : format.clock(at),
      ),
    [times, step, format],
  );
  const series = useMemo(
    () =>
      LINES.map(([name, colour]) => ({
        label: texts.series[name],
        colour,
        values: times.map((bucket) => bucket[name]),
      })),
    [times, texts],
  );
  const total = (name: (typeof LINES)[number][0]) =>
    format.number(times.reduce((sum, bucket) => sum + bucket[name], 0));
  return (
    <Chart
      title={texts.times}
      summary={texts.timesSummary(
        total('sent'),
        total('delivered'),
        total('failed'),
        total('clicked'),
      )}
      kind="lines"
      labels={labels}
      labelTitle={step === 'minute' ? texts.minute : texts.hour}
      series={series}
      format={format.number}
    />
  );
}

export function ChannelSplit({ progress }: { progress: Progress }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const used = CHANNELS.filter((channel) => progress.channels[channel] > 0);
  const shares = sharesOf(used.map((channel) => progress.channels[channel]));
  return (
    <Card title={texts.byChannel}>
      {used.length === 0 ? (
        <p className="text-muted">{texts.noneCarried}</p>
      ) : (
        <CountTable
          caption={texts.byChannel}
          nameTitle={texts.channel}
          rows={used.map((channel, place) => ({
            key: channel,
            name: <ChannelLabel channel={channel} />,
            count: format.number(progress.channels[channel]),
            share: format.percent(shares[place] as number),
          }))}
        />
      )}
    </Card>
  );
}

export function Reasons({ results }: { results: Results }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const { reasons } = results;
  const shares = sharesOf(reasons.map(({ count }) => count));
  return (
    <Card title={texts.reasons}>
      {reasons.length === 0 ? (
        <p className="text-muted">{texts.noReasons}</p>
      ) : (
        <CountTable
          caption={texts.reasons}
          nameTitle={texts.reason}
          rows={reasons.map((row, place) => ({
            key: `${row.channel} ${row.reason}`,
            name: (
              <>
                <span className="wrap-anywhere">{reasonWords(row, texts)}</span>
                {row.channel !== null && (
                  <span className="block text-sm text-muted">
                    <ChannelLabel channel={row.channel} />
                  </span>
                )}
              </>
            ),
            count: format.number(row.count),
            share: format.percent(shares[place] as number),
          }))}
        />
      )}
    </Card>
  );
}

type CountRow = { key: string; name: ReactNode; count: string; share: string };

function CountTable(props: { caption: string; nameTitle: string; rows: readonly CountRow[] }) {
  const texts = useProgressTexts();
  return (
    <table className="w-full text-table">
      <caption className="sr-only">{props.caption}</caption>
      <thead>
        <tr className="text-sm text-muted">
          <th scope="col" className="py-1 pe-3 text-start font-medium">
            {props.nameTitle}
          </th>
          <th scope="col" className="px-3 py-1 text-end font-medium">
            {texts.recipients}
          </th>
          <th scope="col" className="py-1 ps-3 text-end font-medium max-sm:hidden">
            {texts.share}
          </th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ key, name, count, share }) => (
          <tr key={key} className="border-t border-hairline">
            <th scope="row" className="py-1.5 pe-3 text-start font-normal">
              {name}
            </th>
            <td className="px-3 py-1.5 text-end">{count}</td>
            <td className="py-1.5 ps-3 text-end whitespace-nowrap text-muted max-sm:hidden">
              {share}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function LastFailures({ results }: { results: Results }) {
  const texts = useProgressTexts();
  const format = useFormat();
  if (results.last_failures.length === 0) return null;
  return (
    <Card title={texts.lastFailures}>
      <ul className="grid gap-2 text-table">
        {results.last_failures.map((failure) => (
          <li
            key={failure.message_id}
            className="border-t border-hairline pt-2 first:border-0 first:pt-0"
          >
            <p className="flex flex-wrap justify-between gap-x-4">
              <Link to="/app/messages/$id" params={{ id: failure.message_id }} className="link">
                {format.phone(failure.phone)}
              </Link>
              <span className="text-muted">
                <Time at={failure.at} />
              </span>
            </p>
            <p className="wrap-anywhere">
              {reasonWords(failure, texts)}
              {failure.channel !== null && (
                <span className="ms-2 text-muted">
                  <ChannelLabel channel={failure.channel} />
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
