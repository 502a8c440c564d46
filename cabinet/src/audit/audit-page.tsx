import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function AuditPage() {
  const texts = useTexts().audit;
  return <Page title={texts.title}>{null}</Page>;
}
