import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useCallback, useEffect } from 'react';
import { CallError } from '../call-error.ts';
import { checkConnection, useConnection } from '../connection.ts';
import { forgetFailedTexts } from '../texts/lazy-texts.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { AnchorButton } from '../ui/controls/anchor-button.tsx';
import { Button } from '../ui/controls/button.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { UpdateButton } from './connection-notes.tsx';
import { PageGone } from './lazy-page.tsx';

/** The widths of the columns of an ordinary list. */
const COLUMNS = ['w-28', 'w-36', 'w-24', 'w-20', 'w-16'];
const ROWS = 6;
/** In place of the whole cabinet as well as within its frame, which has a margin of its own. */
const PLACE_CLASS = 'p-4 sm:p-6 [main_&]:p-0';

/** Shown while the code of a page is loading: a heading, filters and a list. */
export function PagePending() {
  const texts = useTexts().ui;
  return (
    <div
      className={classes('grid max-w-content grid-cols-[minmax(0,1fr)] gap-5', PLACE_CLASS)}
      aria-busy="true"
    >
      <span className="sr-only">{texts.loading}</span>
      <Skeleton className="h-9 w-48" />
      <div className="flex gap-2">
        <Skeleton className="h-9 w-64" />
        <Skeleton className="h-9 w-24 max-sm:hidden" />
      </div>
      <div className="rounded-card border border-hairline bg-surface">
        {Array.from({ length: ROWS }, (_, row) => (
          <div
            key={row}
            className="flex justify-between gap-6 border-t border-hairline p-4 first:border-t-0"
          >
            {COLUMNS.map((width, place) => (
              <Skeleton key={width} className={place > 1 ? `${width} max-sm:hidden` : width} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

export function NotFoundPage() {
  const texts = useTexts().layout;
  return (
    <div className={PLACE_CLASS}>
      <Page title={texts.notFound} lead={texts.notFoundAdvice}>
        <div>
          <LinkButton to="/app" look="primary">
            {texts.toOverview}
          </LinkButton>
        </div>
      </Page>
    </div>
  );
}

/**
 * In place of a page that could not be shown; the frame around it stays. Without a connection it
 * opens by itself later, after a release it asks for the new pages, and anything else is a bug.
 */
export function PageCrash(props: ErrorComponentProps) {
  return (
    <div className={PLACE_CLASS}>
      <Crash {...props} />
    </div>
  );
}

function Crash({ error, reset }: ErrorComponentProps) {
  const { layout: texts, frame } = useTexts();
  const retry = useRetry(reset);
  if (error instanceof CallError && error.code === 'no_connection') {
    return <PageAway onRetry={retry} />;
  }
  if (error instanceof PageGone) {
    const { pageGone, pageGoneNote } = frame.connection;
    return (
      <Page title={pageGone} lead={pageGoneNote}>
        <div>
          <UpdateButton />
        </div>
      </Page>
    );
  }
  if (error instanceof CallError) {
    return (
      <div className="grid gap-4">
        <ErrorCard error={error} onRetry={retry} />
        <WaysOn />
      </div>
    );
  }
  return (
    <div role="alert">
      <Page title={texts.crashed} lead={texts.crashedAdvice}>
        <WaysOn>
          <RetryButton onRetry={retry} />
          <UpdateButton label={texts.reload} />
        </WaysOn>
      </Page>
    </div>
  );
}

function PageAway({ onRetry }: { onRetry: () => void }) {
  const texts = useTexts().frame.connection;
  const { isLost, isChecking } = useConnection();
  useEffect(() => {
    if (!isLost) onRetry();
  }, [isLost, onRetry]);
  const check = async () => {
    if (await checkConnection()) onRetry();
  };
  return (
    <Page title={texts.pageAway} lead={texts.pageAwayNote}>
      <WaysOn>
        <RetryButton isBusy={isChecking} onRetry={() => void check()} />
      </WaysOn>
    </Page>
  );
}

function RetryButton({ isBusy = false, onRetry }: { isBusy?: boolean; onRetry: () => void }) {
  const { retry } = useTexts().frame.connection;
  return (
    <Button
      look="primary"
      icon={<RefreshCw aria-hidden="true" size={16} />}
      isBusy={isBusy}
      onClick={onRetry}
    >
      {retry}
    </Button>
  );
}

function WaysOn({ children }: { children?: ReactNode }) {
  const texts = useTexts().layout;
  const { lang } = useLang();
  return (
    <div className="flex flex-wrap gap-3">
      {children}
      <AnchorButton href={`/status?lang=${lang}`}>{texts.helpStatus}</AnchorButton>
    </div>
  );
}

/** Loads the page and its texts once more, and draws it anew. */
function useRetry(reset: () => void): () => void {
  const router = useRouter();
  return useCallback(() => {
    forgetFailedTexts();
    void router.invalidate().then(reset);
  }, [router, reset]);
}
