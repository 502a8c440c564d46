import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function RequestsPage() {
  const texts = useTexts().requests;
  return <Page title={texts.title}>{null}</Page>;
}
