import { useQuery } from '@tanstack/react-query';
import { LINK_SOURCES } from '@zhiber/contract/cabinet/links.ts';
import { type FiltersOf, oneOf, text } from '../app/filters.ts';
import { queryOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ChoiceDots, chosenText } from '../ui/filters/choice-boxes.tsx';
import type { Filter } from '../ui/filters/filter-bar.tsx';

const STATES = ['active', 'expired', 'disabled'] as const;
export const CLICK_RANGES = ['24h', '7d', '30d', 'all'] as const;
export type ClickRange = (typeof CLICK_RANGES)[number];
export const RANGE_DEFAULT: ClickRange = '30d';

export const LINK_FILTERS = {
  search: text,
  state: oneOf(STATES),
  source: oneOf(LINK_SOURCES),
  tag: text,
};
/** Selects the counted clicks, not the links, so it does not count as a filter. */
export const RANGE_FILTER = { range: oneOf(CLICK_RANGES) };
export type LinkFilters = FiltersOf<typeof LINK_FILTERS>;

export function useLinkFilters(
  filters: LinkFilters,
  setFilters: (changes: Partial<LinkFilters>) => void,
): Filter[] {
  const texts = useTexts().links;
  const tags = useQuery(queryOf('linkOptions')).data?.tags ?? [];
  const tagWords = Object.fromEntries([...tags, filters.tag ?? []].flat().map((tag) => [tag, tag]));
  const byTag: Filter = {
    id: 'tag',
    label: texts.tag,
    chosen: filters.tag,
    clear: () => setFilters({ tag: undefined }),
    content: (
      <ChoiceDots words={tagWords} chosen={filters.tag} onChoose={(tag) => setFilters({ tag })} />
    ),
  };
  return [
    {
      id: 'source',
      label: texts.source,
      chosen: chosenText(texts.sources, filters.source),
      clear: () => setFilters({ source: undefined }),
      content: (
        <ChoiceDots
          words={texts.sources}
          chosen={filters.source}
          onChoose={(source) => setFilters({ source })}
        />
      ),
    },
    ...(Object.keys(tagWords).length > 0 ? [byTag] : []),
  ];
}
