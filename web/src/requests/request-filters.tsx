import { ERRORS } from '@zhiber/contract/api/errors.ts';
import { OVERVIEW_RANGES } from '@zhiber/contract/cabinet/message-words.ts';
import { OUTCOMES } from '@zhiber/contract/cabinet/request-words.ts';
import { type FiltersOf, oneOf, text, whole } from '../app/filters.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ChoiceDots } from '../ui/filters/choice-boxes.tsx';
import type { Filter } from '../ui/filters/filter-bar.tsx';
import { chipsOf, type FilterChip } from '../ui/filters/filter-chips.tsx';
import { useKeyFilter } from '../ui/filters/key-filter.tsx';
import { RANGE_FILTERS, useRangeFilter, useTodayChip } from '../ui/filters/range-filter.tsx';
import { KEYED_PATHS } from './request-snippet.ts';

export const FILTERS = {
  ...RANGE_FILTERS,
  search: text,
  outcome: oneOf(OUTCOMES),
  path: text,
  error_code: text,
  key_id: whole,
  request_id: text,
};
/** URL parameters that are not filters: the range of the charts and the open request. */
export const VIEW = { charts: oneOf(OVERVIEW_RANGES), request: text };

export type Filters = FiltersOf<typeof FILTERS>;
type SetFilters = (changes: Partial<Filters>) => void;

const PATHS = Object.fromEntries(KEYED_PATHS.map((path) => [path, path]));
const CODES = Object.fromEntries(Object.keys(ERRORS).map((code) => [code, code]));

export function useRequestFilters(filters: Filters, setFilters: SetFilters): Filter[] {
  const texts = useTexts().requests;
  const range = useRangeFilter(filters, setFilters);
  const key = useKeyFilter(filters.key_id, (key_id) => setFilters({ key_id }));
  const choiceFilter = (
    name: 'outcome' | 'path' | 'error_code',
    words: Record<string, string>,
    chosen: string | undefined,
  ): Filter => ({
    id: name,
    label: texts.filterNames[name],
    // The URL may contain a value that is no longer in the list.
    chosen: chosen && (words[chosen] ?? chosen),
    clear: () => setFilters({ [name]: undefined }),
    content: (
      <ChoiceDots words={words} chosen={chosen} onChoose={(word) => setFilters({ [name]: word })} />
    ),
  });
  return [
    range,
    choiceFilter('outcome', texts.outcomes, filters.outcome),
    choiceFilter('path', PATHS, filters.path),
    choiceFilter('error_code', CODES, filters.error_code),
    ...(key === undefined ? [] : [key]),
  ];
}

export function useRequestChips(filters: Filters, setFilters: SetFilters): FilterChip[] {
  const { refused, failed } = useTexts().requests.outcomes;
  return [
    ...chipsOf({ refused, failed }, filters.outcome, (outcome) => setFilters({ outcome })),
    useTodayChip(filters, setFilters),
  ];
}
