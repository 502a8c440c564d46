import { oneOf, useFilters } from '../app/filters.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Tab, Tabs } from '../ui/display/tabs.tsx';

const FILTERS = { way: oneOf(['phone', 'email']) };

/** By phone or by email, as the URL says. Links between sign-in and sign-up keep it. */
export function useWay(): 'phone' | 'email' {
  return useFilters(FILTERS).filters.way ?? 'phone';
}

export function WayTabs({ label }: { label: string }) {
  const texts = useTexts().signIn;
  return (
    <Tabs label={label}>
      <WayTab way="phone" label={texts.byPhone} />
      <WayTab way="email" label={texts.byEmail} />
    </Tabs>
  );
}

function WayTab({ way, label }: { way: 'phone' | 'email'; label: string }) {
  const isOpen = useWay() === way;
  return (
    <Tab
      to="."
      search={(before: Record<string, string | undefined>) => ({ ...before, way })}
      activeProps={{}}
      aria-current={isOpen ? 'page' : undefined}
      replace
    >
      {label}
    </Tab>
  );
}
