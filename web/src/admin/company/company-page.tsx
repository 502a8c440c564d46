import { useQuery } from '@tanstack/react-query';
import type { CompanyPage as Company } from '@zhiber/contract/admin/companies.ts';
import { CirclePause, Eye, Play } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card, Facts, Stat, Stats } from '../../ui/display/card.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { BackLink } from '../back-link.tsx';
import { queryOf } from '../call.ts';
import { DeskLink } from '../desk-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import { CompanyAbuse } from './company-abuse.tsx';
import { CorrectionDialog, ResumeDialog, SuspendDialog, ViewDialog } from './company-acts.tsx';
import { CompanyKeys } from './company-keys.tsx';
import { CompanyMembers } from './company-members.tsx';
import { CurrentPrices, PriceHistory, SenderName } from './company-prices.tsx';
import { CompanyTopups } from './company-topups.tsx';
import { CorrectionTable } from './corrections.tsx';

/** Everything about one company, and what an operator can do about it. */
export function CompanyPage({ id }: { id: string }) {
  const { frame, companies: texts } = useAdminTexts();
  const { data, error, refetch } = useQuery(queryOf('company', { params: { id } }));
  return (
    <Page
      title={data?.name ?? frame.sections.companies}
      back={<BackLink to={['companies']}>{texts.toList}</BackLink>}
      {...(data !== undefined && { actions: <Acts company={data} /> })}
    >
      {error !== null ? (
        <Failure error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <SkeletonCard />
      ) : (
        <Details company={data} />
      )}
    </Page>
  );
}

function Acts({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const [open, setOpen] = useState<'view' | 'suspend' | 'resume' | undefined>();
  const close = () => setOpen(undefined);
  const isSuspended = company.suspended_because !== null;
  return (
    <>
      <Button icon={<Eye aria-hidden="true" size={16} />} onClick={() => setOpen('view')}>
        {texts.view}
      </Button>
      {isSuspended ? (
        <Button icon={<Play aria-hidden="true" size={16} />} onClick={() => setOpen('resume')}>
          {texts.resume}
        </Button>
      ) : (
        <Button
          look="danger"
          icon={<CirclePause aria-hidden="true" size={16} />}
          onClick={() => setOpen('suspend')}
        >
          {texts.suspend}
        </Button>
      )}
      {open === 'view' && <ViewDialog company={company} onClose={close} />}
      {open === 'suspend' && <SuspendDialog company={company} onClose={close} />}
      {open === 'resume' && <ResumeDialog company={company} onClose={close} />}
    </>
  );
}

function Details({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  return (
    <>
      {company.suspended_because !== null && company.suspended_at !== null && (
        <p className="rounded-card bg-bad-tint p-3 text-table wrap-anywhere text-bad">
          {texts.suspendedNote(
            company.suspended_because,
            format.timeToMinute(company.suspended_at),
          )}
        </p>
      )}
      <Money company={company} />
      <div className="grid gap-5 xl:grid-cols-2">
        <AboutCompany company={company} />
        <div className="grid content-start gap-5">
          <CurrentPrices company={company} />
          <SenderName company={company} />
        </div>
      </div>
      <Corrections company={company} />
      <CompanyAbuse company={company} />
      <CompanyKeys company={company} />
      <CompanyTopups rows={company.topups} />
      {company.own_prices.length > 0 && <PriceHistory company={company} />}
      <CompanyMembers rows={company.members} />
    </>
  );
}

function Money({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  const notes = [
    company.held > 0 && texts.held(format.money(company.held)),
    company.debt > 0 && texts.debt(format.money(company.debt)),
  ].filter((note) => note !== false);
  return (
    <Stats columns={4}>
      <Stat
        label={texts.available}
        value={format.money(company.available)}
        note={notes.length > 0 ? notes.join(' · ') : undefined}
      />
      <Stat label={texts.spentToday} value={format.money(company.spent_today)} />
      <Stat label={texts.spentWeek} value={format.money(company.spent_week)} />
      <Stat label={texts.spentMonth} value={format.money(company.spent_month)} />
    </Stats>
  );
}

function AboutCompany({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const none = <span className="text-faint">—</span>;
  return (
    <Card title={texts.facts}>
      <Facts
        rows={[
          [texts.id, company.id],
          [texts.businessId, company.business_id ?? none],
          [texts.brand, company.brand ?? none],
          [texts.created, <Time key="at" at={company.created_at} as="timeToMinute" />],
          [texts.secondFactor, company.requires_second_factor ? texts.required : texts.optional],
        ]}
      />
      <p className="mt-4 grid justify-items-start gap-2 text-table">
        <DeskLink to={['payments', 'list']} search={{ company_id: String(company.id) }}>
          {texts.paymentsOf}
        </DeskLink>
        <DeskLink to={['search']}>{texts.messagesOf}</DeskLink>
        <DeskLink to={['audit']} search={{ company_id: String(company.id) }}>
          {texts.actsOn}
        </DeskLink>
      </p>
    </Card>
  );
}

function Corrections({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const [isOpen, setOpen] = useState(false);
  return (
    <DeskSection
      title={texts.corrections}
      aside={<Button onClick={() => setOpen(true)}>{texts.correct}</Button>}
    >
      <CorrectionTable rows={company.corrections} />
      {isOpen && <CorrectionDialog company={company} onClose={() => setOpen(false)} />}
    </DeskSection>
  );
}
