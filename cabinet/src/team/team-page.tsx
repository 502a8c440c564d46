import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function TeamPage() {
  const texts = useTexts().team;
  return <Page title={texts.title}>{null}</Page>;
}
