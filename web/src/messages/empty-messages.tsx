import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';

/** Shown when nothing was ever sent, or nothing matches the filters. */
export function EmptyMessages(props: { isFiltered: boolean; onReset: () => void }) {
  const texts = useTexts();
  const canTry = useRight('playground.use');
  if (props.isFiltered) {
    return (
      <EmptyState
        kind="no-match"
        title={texts.ui.nothingMatches}
        action={<Button onClick={props.onReset}>{texts.ui.resetFilters}</Button>}
      >
        {texts.messages.noMatchAdvice}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      kind="first-use"
      title={texts.messages.emptyTitle}
      action={
        canTry && (
          <LinkButton to="/app/playground" look="primary">
            {texts.messages.sendTest}
          </LinkButton>
        )
      }
    >
      {texts.messages.emptyLead}
    </EmptyState>
  );
}
