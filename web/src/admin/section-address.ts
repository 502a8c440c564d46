import type { AdminTexts } from '../texts/admin/ru.ts';

/** What a section gets: the parts of the path after its name, as `['12']` in `/admin/companies/12`. */
export type SectionProps = { path: readonly string[] };
export type SectionName = keyof AdminTexts['frame']['sections'];

/** The address of a section, for links: `/admin` and what follows. */
export function splatOf(name: SectionName, ...path: readonly (string | number)[]): string {
  return [name === 'overview' ? '' : name, ...path].join('/');
}
