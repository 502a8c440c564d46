import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCompany } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { Page } from '../ui/display/page.tsx';

/**
 * Shown instead of every page of a company that requires a second factor of a person who has none.
 * The profile, where it is set up, stays open.
 */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const texts = useTexts().layout.secondFactorGate;
  const { needs_second_factor: isClosed } = useCompany();
  const { pathname } = useLocation();
  if (!isClosed || pathname.startsWith('/app/profile')) return children;
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div>
        <LinkButton to="/app/profile" look="primary">
          {texts.open}
        </LinkButton>
      </div>
    </Page>
  );
}
