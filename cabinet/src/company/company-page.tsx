import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function CompanyPage() {
  const texts = useTexts().company;
  return <Page title={texts.title}>{null}</Page>;
}
