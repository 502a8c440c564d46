import type { ReactNode } from 'react';
import type { Answer } from '../call.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Chart } from '../ui/chart/chart.tsx';
import { Stat, Stats } from '../ui/display/card.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Time } from '../ui/display/time.tsx';
import { ClickTops } from './click-tops.tsx';
import type { ClickRange } from './link-filters.tsx';
import { RangeChoice } from './range-choice.tsx';

type LinkWithClicks = Answer<'link'>;

/** Clicks over time and by property, by people and by robots. */
export function LinkClicks({ link, range }: { link: LinkWithClicks; range: ClickRange }) {
  const texts = useTexts().links;
  const isOpened = link.people + link.scans + link.robots > 0;
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{texts.clicksTitle}</h2>
        <RangeChoice />
      </div>
      <ClickNumbers link={link} />
      {isOpened ? (
        <>
          <ClickChart link={link} range={range} />
          <p className="text-sm text-muted">{texts.robotRule}</p>
          <ClickTops link={link} />
        </>
      ) : (
        <EmptyState
          kind="first-use"
          title={link.clicked_at === null ? texts.lastNone : texts.noClicks}
        >
          {texts.robotRule}
        </EmptyState>
      )}
    </section>
  );
}

function ClickNumbers({ link }: { link: LinkWithClicks }) {
  const texts = useTexts();
  const format = useFormat();
  const more = link.is_counted ? '' : '+';
  return (
    <Stats columns={4}>
      <Stat
        label={texts.links.people}
        value={format.number(link.people) + more}
        note={link.is_counted ? undefined : texts.links.stillCounting}
      />
      <Stat label={texts.links.scans} value={format.number(link.scans) + more} />
      <Stat label={texts.links.robots} value={format.number(link.robots) + more} />
      <Stat
        label={texts.links.lastClick}
        value={
          <Words>
            {link.clicked_at === null ? (
              texts.links.notOpened
            ) : (
              <Time at={link.clicked_at} as="relative" />
            )}
          </Words>
        }
      />
    </Stats>
  );
}

/** Text in a Stat: the height of a number, but a smaller font. */
function Words({ children }: { children: ReactNode }) {
  return <span className="block py-1 text-base tracking-normal">{children}</span>;
}

function ClickChart({ link, range }: { link: LinkWithClicks; range: ClickRange }) {
  const texts = useTexts().links;
  const format = useFormat();
  const isHours = range === '24h';
  const { buckets } = link;
  return (
    <Chart
      title={isHours ? texts.byHour : texts.byDay}
      summary={texts.chartSummary(
        format.number(link.people),
        format.number(link.scans),
        format.number(link.robots),
      )}
      kind="columns"
      labels={buckets.map(({ at }) => (isHours ? format.clock(at) : format.date(at)))}
      labelTitle={isHours ? texts.hour : texts.day}
      series={[
        { label: texts.people, colour: 'brand', values: buckets.map(({ people }) => people) },
        { label: texts.scans, colour: 'ok', values: buckets.map(({ scans }) => scans) },
        { label: texts.robots, colour: 'calm', values: buckets.map(({ robots }) => robots) },
      ]}
      format={format.number}
    />
  );
}
