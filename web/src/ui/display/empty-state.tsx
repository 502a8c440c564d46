import { Inbox, Lock, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Page } from './page.tsx';

const ICONS = { 'first-use': Inbox, 'no-match': SearchX, 'no-right': Lock };

/**
 * Three separate kinds: nothing exists yet (an explanation and one button), nothing matches the
 * filters (and how to reset them), or the role lacks the right (and who can grant it).
 */
export function EmptyState(props: {
  kind: keyof typeof ICONS;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Icon = ICONS[props.kind];
  return (
    <div className="grid justify-items-center gap-2 rounded-card border border-dashed border-hairline px-4 py-10 text-center">
      <Icon aria-hidden="true" size={28} className="text-faint" />
      <p className="font-medium">{props.title}</p>
      {props.children !== undefined && (
        <div className="max-w-prose text-table text-pretty text-muted">{props.children}</div>
      )}
      {props.action !== undefined && <div className="pt-2">{props.action}</div>}
    </div>
  );
}

/** Shown when nothing matches the filters of a list. */
export function NoMatch({ onReset }: { onReset: () => void }) {
  const texts = useTexts().ui;
  return (
    <EmptyState
      kind="no-match"
      title={texts.nothingMatches}
      action={<Button onClick={onReset}>{texts.resetFilters}</Button>}
    />
  );
}

/** Shown when the role lacks the right. */
export function NoRightState() {
  const texts = useTexts().ui;
  return (
    <EmptyState kind="no-right" title={texts.noRight}>
      {texts.noRightAdvice}
    </EmptyState>
  );
}

/** Replaces a page that the role has no right to see, when it is opened by URL. */
export function NoRight({ title }: { title: string }) {
  return (
    <Page title={title}>
      <NoRightState />
    </Page>
  );
}
