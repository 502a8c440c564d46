import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { PagePending } from '../app/fallbacks.tsx';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';
import { DeskLink } from './desk-link.tsx';
import { SECTIONS } from './sections.ts';

/** Shows the section that the first part of the path names. */
export function SectionPage() {
  const { _splat = '' } = useParams({ strict: false });
  const [name = '', ...path] = _splat.split('/').filter((part) => part !== '');
  const section = SECTIONS.find((one) => one.name === (name || 'overview'));
  if (section === undefined) return <NoSection />;
  const { page: SectionBody } = section;
  return (
    <Suspense fallback={<PagePending />}>
      <SectionBody key={section.name} path={path} />
    </Suspense>
  );
}

function NoSection() {
  const { layout } = useTexts();
  const { frame } = useAdminTexts();
  return (
    <Page title={layout.notFound} lead={layout.notFoundAdvice}>
      <p>
        <DeskLink to={['overview']}>{frame.toOverview}</DeskLink>
      </p>
    </Page>
  );
}
