import { LayoutDashboard, type LucideIcon, ScrollText } from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { AdminTexts } from '../texts/admin/ru.ts';

/** What a section gets: the parts of the path after its name, as `['12']` in `/admin/companies/12`. */
export type SectionProps = { path: readonly string[] };
export type SectionName = keyof AdminTexts['frame']['sections'];
export type Section = {
  name: SectionName;
  icon: LucideIcon;
  page: LazyExoticComponent<ComponentType<SectionProps>>;
};

type Page = ComponentType<SectionProps>;
const section = (name: SectionName, icon: LucideIcon, load: () => Promise<Page>): Section => ({
  name,
  icon,
  page: lazy(async () => ({ default: await load() })),
});

/** The sections of the desk, in the order of its navigation. The first is at `/admin` itself. */
export const SECTIONS: readonly Section[] = [
  section(
    'overview',
    LayoutDashboard,
    async () => (await import('./overview-page.tsx')).OverviewPage,
  ),
  section('audit', ScrollText, async () => (await import('./audit-page.tsx')).AuditPage),
];

/** The address of a section, for links: `/admin` and what follows. */
export function splatOf(name: SectionName, ...path: readonly (string | number)[]): string {
  return [name === 'overview' ? '' : name, ...path].join('/');
}
