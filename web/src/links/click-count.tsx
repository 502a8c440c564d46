import type { LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { useFormat } from '../texts/use-texts.tsx';

/** How often a link was opened in one of the ways; zeros step back behind the rest. */
export function ClickCount(props: { link: LinkRow; by: 'people' | 'scans' | 'robots' }) {
  const { link, by } = props;
  const format = useFormat();
  const count = link[by];
  return (
    <span className={by === 'people' && count > 0 ? 'font-semibold' : 'text-muted'}>
      {format.number(count)}
      {/* While the clicks of a popular link are still being counted, the number is a lower bound. */}
      {!link.is_counted && '+'}
    </span>
  );
}
