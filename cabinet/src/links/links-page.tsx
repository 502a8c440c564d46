import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function LinksPage() {
  const texts = useTexts().links;
  return <Page title={texts.title}>{null}</Page>;
}
