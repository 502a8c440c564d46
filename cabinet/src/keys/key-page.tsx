import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function KeyPage() {
  const texts = useTexts().keys;
  return <Page title={texts.title}>{null}</Page>;
}
