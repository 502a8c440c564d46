import { useAdminTexts } from '../texts/use-admin-texts.ts';
import type { Filter } from '../ui/filters/filter-bar.tsx';

/** Set by a link from a company; here it can only be taken away. */
export function useCompanyFilter(id: number | undefined, clear: () => void): Filter[] {
  const texts = useAdminTexts().companies;
  if (id === undefined) return [];
  const chosen = texts.number(id);
  return [
    {
      id: 'company',
      label: texts.name,
      chosen,
      clear,
      content: <p className="text-table">{chosen}</p>,
    },
  ];
}
