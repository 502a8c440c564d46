import {
  Banknote,
  Building2,
  ChartColumn,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Radio,
  ScrollText,
  Search,
  ShieldBan,
  Tags,
  TriangleAlert,
} from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { SectionName, SectionProps } from './section-address.ts';

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
  section('companies', Building2, async () => (await import('./companies-page.tsx')).CompaniesPage),
  section('search', Search, async () => (await import('./search-page.tsx')).SearchPage),
  section('payments', Banknote, async () => (await import('./payments-page.tsx')).PaymentsPage),
  section('prices', Tags, async () => (await import('./prices-page.tsx')).PricesPage),
  section('channels', Radio, async () => (await import('./channels-page.tsx')).ChannelsPage),
  section(
    'incidents',
    TriangleAlert,
    async () => (await import('./incidents-page.tsx')).IncidentsPage,
  ),
  section('abuse', ShieldBan, async () => (await import('./abuse-page.tsx')).AbusePage),
  section('jobs', ListChecks, async () => (await import('./jobs-page.tsx')).JobsPage),
  section('figures', ChartColumn, async () => (await import('./figures-page.tsx')).FiguresPage),
  section('audit', ScrollText, async () => (await import('./audit-page.tsx')).AuditPage),
];
