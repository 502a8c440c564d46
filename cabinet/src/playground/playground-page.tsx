import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';

export function PlaygroundPage() {
  const texts = useTexts().playground;
  return <Page title={texts.title}>{null}</Page>;
}
