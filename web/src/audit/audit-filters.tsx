import { useQuery } from '@tanstack/react-query';
import { AUDIT_ACTIONS } from '@zhiber/contract/cabinet/company.ts';
import { type FiltersOf, oneOf, text } from '../app/filters.ts';
import { queryOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ChoiceDots, chosenText } from '../ui/filters/choice-boxes.tsx';
import type { Filter } from '../ui/filters/filter-bar.tsx';
import { RANGE_FILTERS, useRangeFilter } from '../ui/filters/range-filter.tsx';

export const AUDIT_FILTERS = { action: oneOf(AUDIT_ACTIONS), person: text, ...RANGE_FILTERS };
export type AuditFilters = FiltersOf<typeof AUDIT_FILTERS>;
type SetFilters = (changes: Partial<AuditFilters>) => void;

export function useAuditFilters(filters: AuditFilters, setFilters: SetFilters): Filter[] {
  const texts = useTexts().audit;
  const range = useRangeFilter(filters, setFilters);
  const person = usePersonFilter(filters, setFilters);
  const action: Filter = {
    id: 'action',
    label: texts.what,
    chosen: chosenText(texts.actions, filters.action),
    clear: () => setFilters({ action: undefined }),
    content: (
      <ChoiceDots
        words={texts.actions}
        chosen={filters.action}
        onChoose={(chosen) => setFilters({ action: chosen })}
      />
    ),
  };
  return [range, action, person];
}

/** Lists current team members only; actions of former members are found by action and time. */
function usePersonFilter(filters: AuditFilters, setFilters: SetFilters): Filter {
  const texts = useTexts().audit;
  const { data: team } = useQuery(queryOf('team'));
  const words = Object.fromEntries((team?.members ?? []).map(({ id, name }) => [id, name]));
  const { person } = filters;
  return {
    id: 'person',
    label: texts.who,
    chosen: person === undefined ? undefined : (words[person] ?? texts.somebody),
    clear: () => setFilters({ person: undefined }),
    content: (
      <ChoiceDots
        words={words}
        chosen={person}
        onChoose={(chosen) => setFilters({ person: chosen })}
      />
    ),
  };
}
