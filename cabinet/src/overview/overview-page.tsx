import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function OverviewPage() {
  const texts = useTexts().overview;
  return <Page title={texts.title}>{null}</Page>;
}
