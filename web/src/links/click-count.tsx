import type { LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';

type Clicks = Pick<LinkRow, 'people' | 'scans' | 'robots' | 'is_counted'>;

/** Clicks, scans and robots apart, so that link previews are not taken for customers. */
export function ClickCount({ clicks }: { clicks: Clicks }) {
  const texts = useTexts().links;
  const format = useFormat();
  // While the clicks of a popular link are still being counted, the number is a lower bound.
  const more = clicks.is_counted ? '' : '+';
  return (
    <span className="whitespace-nowrap">
      <span className="sr-only">{texts.people}: </span>
      <strong className="font-semibold">
        {format.number(clicks.people)}
        {more}
      </strong>
      <Dot />
      <span className="sr-only">, {texts.scans}: </span>
      <span>
        {format.number(clicks.scans)}
        {more}
      </span>
      <Dot />
      <span className="sr-only">, {texts.robots}: </span>
      <span className="text-muted">
        {format.number(clicks.robots)}
        {more}
      </span>
    </span>
  );
}

function Dot() {
  return (
    <span aria-hidden="true" className="text-muted">
      {' · '}
    </span>
  );
}
