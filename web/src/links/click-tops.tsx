import type { ClickPart, ClickTop } from '@zhiber/contract/cabinet/clicks.ts';
import type { Answer } from '../call.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { Card } from '../ui/display/card.tsx';
import { useClickWords } from './click-words.ts';

/** By which devices, from where and in what people have opened a link. */
export function ClickTops({ link }: { link: Answer<'link'> }) {
  const texts = useTexts().links;
  const titles: Record<ClickPart, string> = {
    device: texts.devices,
    country: texts.countries,
    city: texts.cities,
    referrer: texts.referrers,
    system: texts.systems,
    browser: texts.browsers,
  };
  const { people, scans, parts } = link;
  const hasCities = parts.city.top.length > 0;
  const shown = (Object.keys(titles) as ClickPart[]).filter((part) => part !== 'city' || hasCities);
  if (people + scans === 0) {
    return <p className="text-table text-muted">{texts.noClicks}</p>;
  }
  return (
    <section className="grid gap-3">
      <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
        {shown.map((part) => (
          <Card key={part} title={titles[part]}>
            <Top part={part} top={parts[part]} />
          </Card>
        ))}
      </div>
      <p className="text-sm text-muted">
        {texts.topNote} {hasCities ? texts.cityNote : texts.countryNote} {texts.referrerNote}{' '}
        <a href="https://db-ip.com" rel="noreferrer" target="_blank" className="link">
          {hasCities ? texts.cityCredit : texts.geoCredit}
        </a>
      </p>
    </section>
  );
}

function Top({ part, top }: { part: ClickPart; top: ClickTop }) {
  const texts = useTexts().links;
  const words = useClickWords()[part];
  const known = top.top.map(({ value, people }) => ({ name: words(value), people, value }));
  const rest = [
    { name: texts.others, people: top.others, value: '*' },
    {
      name: part === 'referrer' ? texts.noReferrer : texts.unknown,
      people: top.unknown,
      value: '',
    },
  ].filter(({ people }) => people > 0);
  const max = Math.max(1, ...[...known, ...rest].map(({ people }) => people));
  return (
    <ul className="grid gap-1">
      {known.map(({ name, people, value }) => (
        <Bar key={value} name={name} people={people} share={people / max} />
      ))}
      {rest.map(({ name, people, value }) => (
        <Bar key={value} name={name} people={people} share={people / max} isFaint />
      ))}
    </ul>
  );
}

function Bar(props: { name: string; people: number; share: number; isFaint?: boolean }) {
  const { name, people, share, isFaint = false } = props;
  const format = useFormat();
  return (
    <li className="relative flex min-h-9 items-center justify-between gap-3 overflow-hidden rounded-control px-2">
      <span
        aria-hidden="true"
        className={classes(
          'absolute inset-y-0.5 start-0 rounded-control',
          isFaint ? 'bg-sunken' : 'bg-info-tint',
        )}
        style={{ width: `${share * 100}%` }}
      />
      <span
        title={name}
        className={classes('relative min-w-0 truncate text-table', isFaint && 'text-muted')}
      >
        {name}
      </span>
      <span className="relative text-table font-medium">{format.number(people)}</span>
    </li>
  );
}
