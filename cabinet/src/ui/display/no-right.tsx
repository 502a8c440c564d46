import { useTexts } from '../../texts/use-texts.tsx';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';

/** Instead of a page that the role may not see, for whoever comes by its address. */
export function NoRight({ title }: { title: string }) {
  const texts = useTexts().ui;
  return (
    <Page title={title}>
      <EmptyState kind="no-right" title={texts.noRight}>
        {texts.noRightAdvice}
      </EmptyState>
    </Page>
  );
}
