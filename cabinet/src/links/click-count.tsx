import type { LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';

type Clicks = Pick<LinkRow, 'people' | 'robots' | 'is_counted'>;

/** People first; robots beside them, so that nobody takes a preview for a customer. */
export function ClickCount({ clicks }: { clicks: Clicks }) {
  const texts = useTexts().links;
  const format = useFormat();
  // While a popular link is being added up there are more than it says.
  const more = clicks.is_counted ? '' : '+';
  return (
    <span className="whitespace-nowrap">
      <span className="sr-only">{texts.people}: </span>
      <strong className="font-semibold">
        {format.number(clicks.people)}
        {more}
      </strong>
      <span aria-hidden="true" className="text-muted">
        {' · '}
      </span>
      <span className="sr-only">, {texts.robots}: </span>
      <span className="text-muted">
        {format.number(clicks.robots)}
        {more}
      </span>
    </span>
  );
}
