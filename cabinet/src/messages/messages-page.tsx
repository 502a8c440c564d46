import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function MessagesPage() {
  const texts = useTexts().messages;
  return <Page title={texts.title}>{null}</Page>;
}
