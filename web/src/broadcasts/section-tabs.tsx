import { useBroadcastTexts } from '../texts/use-broadcast-texts.ts';
import { Tab, Tabs } from '../ui/display/tabs.tsx';

/** Broadcasts, saved lists, and phones that want none. */
export function SectionTabs() {
  const texts = useBroadcastTexts();
  return (
    <Tabs label={texts.title}>
      <Tab to="/app/broadcasts" activeOptions={{ exact: true, includeSearch: false }}>
        {texts.tabs.broadcasts}
      </Tab>
      <Tab to="/app/broadcasts/lists" activeOptions={{ includeSearch: false }}>
        {texts.tabs.lists}
      </Tab>
      <Tab to="/app/broadcasts/unsubscribed" activeOptions={{ includeSearch: false }}>
        {texts.tabs.unsubscribed}
      </Tab>
    </Tabs>
  );
}
