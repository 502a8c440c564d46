import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function ProfilePage() {
  const texts = useTexts().profile;
  return <Page title={texts.title}>{null}</Page>;
}
