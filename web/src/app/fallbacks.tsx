import type { ErrorComponentProps } from '@tanstack/react-router';
import { CallError } from '../call-error.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Skeleton, SkeletonCard } from '../ui/display/skeleton.tsx';

/** Shown while the code of a page is loading. */
export function PagePending() {
  return (
    <div className="grid max-w-content gap-5 p-4" aria-busy="true">
      <Skeleton className="h-8 w-48" />
      <SkeletonCard />
      <SkeletonCard />
    </div>
  );
}

export function NotFoundPage() {
  const texts = useTexts().layout;
  return (
    <div className="p-4 sm:p-6">
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

/** A CallError has its own text and can be retried; anything else is a bug in the page. */
export function PageCrash({ error, reset }: ErrorComponentProps) {
  const texts = useTexts().layout;
  if (error instanceof CallError) {
    return (
      <div className="p-4 sm:p-6">
        <ErrorCard error={error} onRetry={reset} />
      </div>
    );
  }
  return (
    <div className="p-4 sm:p-6" role="alert">
      <Page title={texts.crashed} lead={texts.crashedAdvice}>
        <div>
          <Button look="primary" onClick={() => location.reload()}>
            {texts.reload}
          </Button>
        </div>
      </Page>
    </div>
  );
}
