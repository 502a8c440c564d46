import { useQuery } from '@tanstack/react-query';
import type { CompanyPage as Company } from '@zhiber/contract/admin/companies.ts';
import { ArrowLeft, Ban, CirclePause, Eye, Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card, Facts, Stat } from '../../ui/display/card.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { ModeChip } from '../../ui/display/status-chip.tsx';
import { Time } from '../../ui/display/time.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { queryOf } from '../call.ts';
import { DeskLink } from '../desk-link.tsx';
import {
  CorrectionDialog,
  LimitsDialog,
  ResumeDialog,
  SuspendDialog,
  ViewDialog,
} from './company-acts.tsx';
import { CompanyPrices } from './company-prices.tsx';
import { CorrectionTable } from './corrections.tsx';

/** Everything about one company, and what an operator can do about it. */
export function CompanyPage({ id }: { id: string }) {
  const { frame, companies: texts } = useAdminTexts();
  const { data, error, refetch } = useQuery(queryOf('company', { params: { id } }));
  return (
    <Page
      title={data?.name ?? frame.sections.companies}
      lead={
        <DeskLink to={['companies']} className="link inline-flex items-center gap-1.5">
          <ArrowLeft aria-hidden="true" size={16} />
          {texts.toList}
        </DeskLink>
      }
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
        <Abuse company={company} />
      </div>
      <Corrections company={company} />
      <CompanyPrices company={company} />
      <Members rows={company.members} />
      <Keys company={company} />
      <Topups rows={company.topups} />
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
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Stat
        label={texts.available}
        value={format.money(company.available)}
        note={notes.length > 0 ? notes.join(' · ') : undefined}
      />
      <Stat label={texts.spentToday} value={format.money(company.spent_today)} />
      <Stat label={texts.spentWeek} value={format.money(company.spent_week)} />
      <Stat label={texts.spentMonth} value={format.money(company.spent_month)} />
    </div>
  );
}

function AboutCompany({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const none = <span className="text-faint">—</span>;
  return (
    <Card title={texts.facts}>
      <Facts
        rows={[
          [texts.name, texts.number(company.id)],
          [texts.businessId, company.business_id ?? none],
          [texts.brand, company.brand ?? none],
          [texts.created, <Time key="at" at={company.created_at} as="timeToMinute" />],
          [texts.secondFactor, company.requires_second_factor ? texts.required : texts.optional],
        ]}
      />
      <p className="mt-4 grid justify-items-start gap-2 text-table">
        <DeskLink to={['search']}>{texts.messagesOf}</DeskLink>
        <DeskLink to={['audit']} search={{ company_id: String(company.id) }}>
          {texts.actsOn}
        </DeskLink>
      </p>
    </Card>
  );
}

function Abuse({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  const { sent, verified } = company.codes;
  const share =
    sent === 0
      ? texts.noCodes
      : texts.verifiedShare(
          format.number(verified),
          format.number(sent),
          format.percent(verified / sent),
        );
  const columns: Column<Company['guard_decisions'][number]>[] = [
    { id: 'numbers', title: texts.numbers, cell: ({ prefix }) => `+${prefix}…` },
    { id: 'when', title: texts.period, cell: ({ to }) => <Time at={to} as="timeToMinute" /> },
    {
      id: 'share',
      title: texts.verifiedOf,
      isNumber: true,
      cell: (row) => `${format.number(row.verified)} / ${format.number(row.sent)}`,
    },
    {
      id: 'decided',
      title: texts.decided,
      cell: ({ action, sends }) => (
        <span className="grid justify-items-start gap-0.5">
          <Chip tone={action === 'blocked' ? 'bad' : 'warn'}>{texts.decisionKinds[action]}</Chip>
          <span className="text-sm text-muted">{texts.sends(sends, format.number(sends))}</span>
        </span>
      ),
      onCard: 'plain',
    },
  ];
  return (
    <Card title={texts.abuse}>
      <div className="grid gap-4">
        <Facts rows={[[texts.verified, share]]} />
        <DataTable
          caption={texts.decisions}
          columns={columns}
          rows={company.guard_decisions}
          rowKey={({ to, prefix }) => `${to} ${prefix}`}
          empty={<p className="text-table text-muted">{texts.noDecisions}</p>}
        />
      </div>
    </Card>
  );
}

function Corrections({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={texts.corrections}
      aside={<Button onClick={() => setOpen(true)}>{texts.correct}</Button>}
    >
      <CorrectionTable rows={company.corrections} />
      {isOpen && <CorrectionDialog company={company} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function TableCard<Row>(props: {
  title: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  none: ReactNode;
}) {
  return (
    <Card title={props.title}>
      <DataTable
        caption={props.title}
        columns={props.columns}
        rows={props.rows}
        rowKey={props.rowKey}
        empty={<p className="text-table text-muted">{props.none}</p>}
      />
    </Card>
  );
}

function Members({ rows }: { rows: Company['members'] }) {
  const texts = useAdminTexts().companies;
  const { roles } = useTexts().ui;
  const columns: Column<Company['members'][number]>[] = [
    {
      id: 'name',
      title: texts.who,
      cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
    },
    {
      id: 'contact',
      title: texts.contact,
      cell: ({ contact }) => <span className="wrap-anywhere">{contact}</span>,
    },
    { id: 'role', title: texts.role, cell: ({ role }) => roles[role] },
    {
      id: 'factor',
      title: texts.factor,
      cell: ({ has_second_factor: has }) => (has ? texts.hasFactor : texts.noFactor),
    },
    {
      id: 'seen',
      title: texts.seen,
      cell: ({ seen_at: at }) => (at === null ? texts.never : <Time at={at} as="relative" />),
    },
  ];
  return (
    <TableCard
      title={texts.members}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      none={texts.noMembers}
    />
  );
}

type Key = Company['keys'][number];

function Keys({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  const [limited, setLimited] = useState<Key | undefined>();
  const columns: Column<Key>[] = [
    {
      id: 'name',
      title: texts.key,
      cell: (key) => (
        <span className="grid min-w-0">
          <span className="wrap-anywhere">{key.name}</span>
          <code className="text-sm font-normal text-muted">{key.prefix}…</code>
        </span>
      ),
    },
    {
      id: 'mode',
      title: texts.state,
      cell: ({ mode, is_revoked: isRevoked }) => (
        <span className="flex flex-wrap gap-1.5">
          <ModeChip mode={mode} />
          {isRevoked && (
            <Chip tone="calm" icon={Ban}>
              {texts.revoked}
            </Chip>
          )}
        </span>
      ),
      onCard: 'plain',
    },
    {
      id: 'channels',
      title: texts.channels,
      cell: ({ channels }) => (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          {channels.map((channel) => (
            <ChannelLabel key={channel} channel={channel} />
          ))}
        </span>
      ),
      onCard: 'plain',
    },
    {
      id: 'cap',
      title: texts.cap,
      cell: ({ monthly_cap: cap, spent_this_month: spent }) =>
        cap === null ? texts.noLimit : texts.capUsed(format.money(spent ?? 0), format.money(cap)),
    },
    {
      id: 'rate',
      title: texts.rate,
      cell: ({ rate_per_minute: rate }) =>
        rate === null ? texts.rateDefault : format.number(rate),
    },
    {
      id: 'used',
      title: texts.used,
      cell: ({ used_at: at }) => (at === null ? texts.unused : <Time at={at} as="relative" />),
    },
    {
      id: 'limits',
      title: texts.limits,
      isTitleHidden: true,
      cell: (key) =>
        !key.is_revoked && (
          <Button onClick={() => setLimited(key)}>
            <span>
              {texts.limits}
              <span className="sr-only"> {key.name}</span>
            </span>
          </Button>
        ),
      onCard: 'plain',
    },
  ];
  return (
    <>
      <TableCard
        title={texts.keys}
        columns={columns}
        rows={company.keys}
        rowKey={({ id }) => id}
        none={texts.noKeys}
      />
      {limited !== undefined && (
        <LimitsDialog
          companyId={company.id}
          apiKey={limited}
          onClose={() => setLimited(undefined)}
        />
      )}
    </>
  );
}

type Topup = Company['topups'][number];

function Topups({ rows }: { rows: Company['topups'] }) {
  const texts = useAdminTexts().companies;
  const { topup } = useTexts();
  const format = useFormat();
  const none = <span className="text-faint">—</span>;
  const providers: Record<string, string> = topup.providers;
  const columns: Column<Topup>[] = [
    {
      id: 'when',
      title: texts.when,
      cell: ({ created_at: at }) => <Time at={at} as="timeToMinute" />,
    },
    { id: 'reference', title: texts.reference, cell: ({ reference }) => reference ?? none },
    {
      id: 'provider',
      title: texts.provider,
      cell: ({ provider }) => providers[provider] ?? provider,
    },
    { id: 'state', title: texts.state, cell: ({ state }) => topup.states[state] },
    {
      id: 'amount',
      title: texts.amount,
      isNumber: true,
      cell: ({ amount }) => format.money(amount),
    },
    {
      id: 'paid',
      title: texts.paid,
      isNumber: true,
      cell: ({ paid, refunded }) => (
        <span className="grid">
          {paid === 0 ? none : format.money(paid)}
          {refunded > 0 && (
            <span className="text-sm text-muted">{texts.refunded(format.money(refunded))}</span>
          )}
        </span>
      ),
    },
  ];
  return (
    <TableCard
      title={texts.topups}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.reference ?? ''}${row.created_at}`}
      none={texts.noTopups}
    />
  );
}
