import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Answer } from '../../call.ts';
import { handedKeyOf, handOverKey } from '../../handed-key.ts';
import { queryOf } from '../../queries.ts';
import { useCompany, useRight } from '../../session.ts';
import { useOnboardingTexts } from '../../texts/use-onboarding-texts.ts';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { Card } from '../../ui/display/card.tsx';
import { ErrorCard } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { FirstCode } from './first-code.tsx';
import { NewTestKey } from './new-test-key.tsx';
import { NextSteps } from './next-steps.tsx';

/** From a new company to its first verified code, on one page. */
export function StartPage() {
  const texts = useOnboardingTexts();
  const top = useRef<HTMLDivElement>(null);
  // Whoever has just created the company comes from a page that is gone.
  useEffect(() => {
    if (document.activeElement === document.body) top.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <Page
        title={texts.title}
        lead={texts.lead}
        actions={
          <LinkButton to="/app" look="quiet" className="max-sm:-ms-3.5">
            {texts.skip}
          </LinkButton>
        }
      >
        <WithTestKey />
        <NextSteps />
      </Page>
    </div>
  );
}

function WithTestKey() {
  const { id: companyId } = useCompany();
  const [handed, setHanded] = useState(() => handedKeyOf(companyId));
  const { data, error, refetch } = useQuery(queryOf('keys'));
  if (error !== null) return <ErrorCard error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonCard lines={6} />;
  const tests = data.keys.filter(({ mode, state }) => mode === 'test' && state !== 'revoked');
  const apiKey = tests.find(({ id }) => id === handed?.keyId) ?? tests[0];
  const onMade = (made: Answer<'createKey'>) => {
    const { id: keyId, key } = made;
    handOverKey({ companyId, keyId, key });
    setHanded({ companyId, keyId, key });
  };
  if (apiKey === undefined) return <NoTestKey onMade={onMade} />;
  const keyText = apiKey.id === handed?.keyId ? handed.key : undefined;
  return (
    <FirstCode
      key={apiKey.id}
      apiKey={{ ...apiKey, ...(keyText !== undefined && { text: keyText }) }}
      shown={apiKey.shown}
      newKey={<NewTestKey onMade={onMade} look="plain" />}
    />
  );
}

function NoTestKey({ onMade }: { onMade: (made: Answer<'createKey'>) => void }) {
  const texts = useOnboardingTexts();
  const canCreate = useRight('keys.change');
  return (
    <Card>
      <p className="mb-3">{canCreate ? texts.noKey : texts.noRight}</p>
      <NewTestKey onMade={onMade} look="primary" />
    </Card>
  );
}
