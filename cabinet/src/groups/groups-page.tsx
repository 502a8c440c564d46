import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function GroupsPage() {
  const texts = useTexts().groups;
  return <Page title={texts.title}>{null}</Page>;
}
