import { Tab, Tabs } from '../ui/display/tabs.tsx';
import { type SectionName, splatOf } from './section-address.ts';

/** The parts of a section. The first tab is at the address of the section itself. */
export function DeskTabs<Name extends string>(props: {
  label: string;
  section: SectionName;
  tabs: Record<Name, string>;
  counts?: Partial<Record<Name, number>>;
}) {
  const { label, section, tabs, counts = {} } = props;
  const entries = Object.entries(tabs) as [Name, string][];
  return (
    <Tabs label={label}>
      {entries.map(([name, title], place) => {
        const count = (counts as Partial<Record<Name, number>>)[name];
        return (
          <Tab
            key={name}
            to="/admin/$"
            params={{ _splat: place === 0 ? splatOf(section) : splatOf(section, name) }}
            search={{}}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {title}
            {count !== undefined && count > 0 && (
              <span className="ms-1.5 rounded-full bg-warn-tint px-1.5 text-sm text-warn">
                {count}
              </span>
            )}
          </Tab>
        );
      })}
    </Tabs>
  );
}
