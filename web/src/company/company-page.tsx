import { useQuery } from '@tanstack/react-query';
import type { Company } from '@zhiber/contract/cabinet/company.ts';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { queryOf } from '../queries.ts';
import { useCompany, useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Card, Facts } from '../ui/display/card.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { CompanyForm } from './company-form.tsx';
import { SecurityCard } from './security-card.tsx';
import { type MessageStyle, SmsPreview } from './sms-preview.tsx';

export function CompanyPage() {
  const texts = useTexts().company;
  const { data: company, error, refetch } = useQuery(queryOf('company'));
  return (
    <Page title={texts.title} lead={texts.lead}>
      {error !== null && <ErrorCard error={error} onRetry={refetch} />}
      {error === null && company === undefined && <SkeletonCard lines={6} />}
      {company !== undefined && <CompanyFacts company={company} />}
    </Page>
  );
}

/** The SMS preview follows the form while it is edited. */
function CompanyFacts({ company }: { company: Company }) {
  const texts = useTexts().company;
  const canChange = useRight('company.change');
  const canSecure = useRight('company.secure');
  const [messageStyle, setMessageStyle] = useState<MessageStyle>(company);
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)]">
      <Card title={texts.facts}>
        {canChange ? (
          <CompanyForm
            company={company}
            messageStyle={messageStyle}
            onMessageStyle={setMessageStyle}
          />
        ) : (
          <ReadOnly company={company} />
        )}
      </Card>
      <div className="grid gap-5">
        <SmsPreview messageStyle={messageStyle} />
        {canSecure && <SecurityCard isRequired={company.requires_second_factor} />}
        <Card>
          <Facts
            rows={[
              [texts.id, company.id],
              [texts.createdAt, <Time key="at" at={company.created_at} as="timeToMinute" />],
            ]}
          />
        </Card>
      </div>
    </div>
  );
}

function ReadOnly({ company }: { company: Company }) {
  const texts = useTexts();
  const { role } = useCompany();
  const words = texts.company;
  return (
    <div className="grid gap-4">
      <Facts
        rows={[
          [words.name, company.name],
          [words.businessId, company.business_id ?? words.none],
          [words.language, words.languages[company.language]],
          [words.brand, company.brand ?? words.noBrand],
          [words.approvalAbove, company.approval_above ?? words.noApproval],
        ]}
      />
      <p className="flex gap-2 text-sm text-muted">
        <Lock aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
        {words.readOnly(texts.ui.roles[role])}
      </p>
    </div>
  );
}
