import { useQuery } from '@tanstack/react-query';
import type { GuardDecision } from '@zhiber/contract/admin/abuse.ts';
import { Ban, Eye } from 'lucide-react';
import { useState } from 'react';
import { useFilters, whole } from '../app/filters.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { SelectField } from '../ui/controls/select-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { type DeskAnswer, queryOf, useAction } from './call.ts';
import { DeskLink } from './desk-link.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

const FILTERS = { company_id: whole };
const HOURS = ['1', '6', '24', '72'] as const;
const CHANGED = { invalidates: ['guardDecisions', 'closures'] } as const;

type Closures = DeskAnswer<'closures'>;
type Row<Kind extends 'people' | 'companies' | 'hosts' | 'pardons'> = Closures[Kind][number];

/** `/admin/abuse?company_id=12` shows the decisions about one company. */
export function AbusePage() {
  const { frame, abuse: texts } = useAdminTexts();
  const closures = useQuery(queryOf('closures'));
  return (
    <Page title={frame.sections.abuse} lead={texts.lead}>
      <Decisions />
      {closures.data === undefined && closures.error !== null && (
        <Failure error={closures.error} onRetry={closures.refetch} />
      )}
      {closures.isPending && <SkeletonCard lines={4} />}
      {closures.data !== undefined && (
        <>
          {closures.data.pardons.length > 0 && <Pardons pardons={closures.data.pardons} />}
          <People people={closures.data.people} />
          <Companies companies={closures.data.companies} />
          <Hosts hosts={closures.data.hosts} />
        </>
      )}
    </Page>
  );
}

function Decisions() {
  const texts = useAdminTexts().abuse;
  const { filters } = useFilters(FILTERS);
  const list = useQuery(queryOf('guardDecisions', { query: { company_id: filters.company_id } }));
  const [pardoned, setPardoned] = useState<GuardDecision>();
  const columns = useDecisionColumns(setPardoned);
  return (
    <section className="grid min-w-0 gap-2">
      <h2 className="text-lg">{texts.decisions}</h2>
      <p className="text-sm text-muted">{texts.decisionsLead}</p>
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={texts.decisions}
          columns={columns}
          rows={list.data?.decisions}
          rowKey={({ company, prefix, at }) => `${at} ${company.id} ${prefix}`}
          empty={<EmptyState kind="first-use" title={texts.noDecisions} />}
        />
      )}
      {pardoned !== undefined && (
        <PardonDialog decision={pardoned} onClose={() => setPardoned(undefined)} />
      )}
    </section>
  );
}

function useDecisionColumns(onPardon: (decision: GuardDecision) => void): Column<GuardDecision>[] {
  const texts = useAdminTexts().abuse;
  const format = useFormat();
  return [
    { id: 'company', title: texts.company, cell: ({ company }) => <CompanyLink of={company} /> },
    { id: 'prefix', title: texts.prefix, cell: ({ prefix }) => `+${prefix}…` },
    { id: 'at', title: texts.at, cell: ({ at }) => <Time at={at} as="timeToMinute" /> },
    {
      id: 'codes',
      title: texts.codes,
      cell: ({ verified, sent, share_max: share }) => (
        <span className="whitespace-nowrap">
          {texts.codesOf(format.number(verified), format.number(sent))}{' '}
          <span className="text-sm text-muted">({texts.shareMax(format.percent(share))})</span>
        </span>
      ),
    },
    {
      id: 'action',
      title: texts.action,
      cell: ({ action, sends }) => (
        <div className="grid justify-items-start gap-0.5">
          <Chip
            tone={action === 'blocked' ? 'bad' : 'warn'}
            icon={action === 'blocked' ? Ban : Eye}
          >
            {texts.actions[action]}
          </Chip>
          <span className="text-sm text-muted">{texts.sends(sends)}</span>
        </div>
      ),
    },
    {
      id: 'pardon',
      title: texts.pardonedUntil,
      cell: (decision) =>
        decision.pardoned_until === null ? (
          <Button
            aria-label={texts.pardonOf(decision.company.name, `+${decision.prefix}`)}
            onClick={() => onPardon(decision)}
          >
            {texts.pardon}
          </Button>
        ) : (
          <Time at={decision.pardoned_until} as="timeToMinute" />
        ),
    },
  ];
}

function CompanyLink({ of: { id, name } }: { of: { id: number; name: string } }) {
  return (
    <DeskLink to={['companies', id]} className="link wrap-anywhere">
      {name}
    </DeskLink>
  );
}

function PardonDialog({ decision, onClose }: { decision: GuardDecision; onClose: () => void }) {
  const texts = useAdminTexts().abuse;
  const { company, prefix } = decision;
  const pardon = useAction('pardonStream', CHANGED);
  return (
    <ReasonDialog
      title={texts.pardonTitle}
      lead={texts.pardonLead(company.name, `+${prefix}`)}
      action={texts.pardon}
      isBusy={pardon.isPending}
      error={pardon.error}
      onSubmit={(values) =>
        pardon.mutate(
          {
            body: {
              company_id: company.id,
              prefix,
              hours: Number(values.text('hours')),
              reason: values.text('reason'),
            },
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <SelectField
        name="hours"
        label={texts.hours}
        options={HOURS.map((value) => ({ value, label: value }))}
        defaultValue="1"
      />
    </ReasonDialog>
  );
}

function Pardons({ pardons }: { pardons: Closures['pardons'] }) {
  const texts = useAdminTexts().abuse;
  const end = useAction('endPardon', CHANGED);
  const columns: Column<Row<'pardons'>>[] = [
    { id: 'company', title: texts.company, cell: ({ company }) => <CompanyLink of={company} /> },
    { id: 'prefix', title: texts.prefix, cell: ({ prefix }) => `+${prefix}…` },
    { id: 'until', title: texts.until, cell: ({ until }) => <Time at={until} as="timeToMinute" /> },
    { id: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { id: 'by', title: texts.setBy, cell: ({ set_by: by }) => by ?? '—' },
    {
      id: 'end',
      title: texts.endPardon,
      isTitleHidden: true,
      cell: ({ company, prefix }) => (
        <Button
          isBusy={end.isPending}
          onClick={() => end.mutate({ params: { company_id: company.id, prefix } })}
        >
          {texts.endPardon}
        </Button>
      ),
      onCard: 'plain',
    },
  ];
  return (
    <section className="grid min-w-0 gap-2">
      <h2 className="text-lg">{texts.pardons}</h2>
      <DataTable
        caption={texts.pardons}
        columns={columns}
        rows={pardons}
        rowKey={({ company, prefix }) => `${company.id} ${prefix}`}
        empty={null}
      />
      <Refusal error={end.error} />
    </section>
  );
}

function People({ people }: { people: Closures['people'] }) {
  const texts = useAdminTexts().abuse;
  const format = useFormat();
  const [chosen, setChosen] = useState<Row<'people'>>();
  const unblock = useAction('unblockPerson', CHANGED);
  const close = () => {
    unblock.reset();
    setChosen(undefined);
  };
  const columns: Column<Row<'people'>>[] = [
    {
      id: 'person',
      title: texts.person,
      cell: ({ name, email, phone }) => (
        <div className="grid">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="text-sm wrap-anywhere text-muted">
            {[email, phone === null ? null : format.phone(`+${phone}`)]
              .filter((contact) => contact !== null)
              .join(', ')}
          </span>
        </div>
      ),
    },
    { id: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { id: 'since', title: texts.since, cell: ({ since }) => <Time at={since} as="timeToMinute" /> },
    {
      id: 'unblock',
      title: texts.unblock,
      isTitleHidden: true,
      cell: (person) => (
        <Button aria-label={texts.unblockOf(person.name)} onClick={() => setChosen(person)}>
          {texts.unblock}
        </Button>
      ),
      onCard: 'plain',
    },
  ];
  return (
    <section className="grid min-w-0 gap-2">
      <h2 className="text-lg">{texts.people}</h2>
      <DataTable
        caption={texts.people}
        columns={columns}
        rows={people}
        rowKey={({ id }) => id}
        empty={<p className="text-table text-muted">{texts.noPeople}</p>}
      />
      {chosen !== undefined && (
        <ReasonDialog
          title={texts.unblockOf(chosen.name)}
          lead={texts.unblockLead}
          action={texts.unblock}
          isBusy={unblock.isPending}
          error={unblock.error}
          onSubmit={(values) =>
            unblock.mutate(
              { params: { person_id: chosen.id }, body: { reason: values.text('reason') } },
              { onSuccess: close },
            )
          }
          onClose={close}
        />
      )}
    </section>
  );
}

function Companies({ companies }: { companies: Closures['companies'] }) {
  const texts = useAdminTexts().abuse;
  const columns: Column<Row<'companies'>>[] = [
    { id: 'company', title: texts.company, cell: (company) => <CompanyLink of={company} /> },
    { id: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { id: 'since', title: texts.since, cell: ({ since }) => <Time at={since} as="timeToMinute" /> },
  ];
  return (
    <section className="grid min-w-0 gap-2">
      <h2 className="text-lg">{texts.companies}</h2>
      <DataTable
        caption={texts.companies}
        columns={columns}
        rows={companies}
        rowKey={({ id }) => id}
        empty={<p className="text-table text-muted">{texts.noCompanies}</p>}
      />
      {companies.length > 0 && <p className="text-sm text-muted">{texts.resumeHint}</p>}
    </section>
  );
}

function Hosts({ hosts }: { hosts: Closures['hosts'] }) {
  const texts = useAdminTexts().abuse;
  const [allowed, setAllowed] = useState<string>();
  const [isBarring, setBarring] = useState(false);
  const bar = useAction('barHost', CHANGED);
  const unbar = useAction('unbarHost', CHANGED);
  const close = () => {
    bar.reset();
    unbar.reset();
    setAllowed(undefined);
    setBarring(false);
  };
  const columns: Column<Row<'hosts'>>[] = [
    { id: 'host', title: texts.host, cell: ({ host }) => <span lang="">{host}</span> },
    { id: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { id: 'since', title: texts.since, cell: ({ since }) => <Time at={since} as="timeToMinute" /> },
    {
      id: 'unbar',
      title: texts.unbar,
      isTitleHidden: true,
      cell: ({ host }) => (
        <Button aria-label={texts.unbarOf(host)} onClick={() => setAllowed(host)}>
          {texts.unbar}
        </Button>
      ),
      onCard: 'plain',
    },
  ];
  return (
    <section className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{texts.hosts}</h2>
        <Button onClick={() => setBarring(true)}>{texts.bar}</Button>
      </div>
      <DataTable
        caption={texts.hosts}
        columns={columns}
        rows={hosts}
        rowKey={({ host }) => host}
        empty={<p className="text-table text-muted">{texts.noHosts}</p>}
      />
      {isBarring && (
        <ReasonDialog
          title={texts.bar}
          lead={texts.barLead}
          action={texts.bar}
          isBusy={bar.isPending}
          error={bar.error}
          onSubmit={(values) =>
            bar.mutate(
              { body: { host: values.text('host'), reason: values.text('reason') } },
              { onSuccess: close },
            )
          }
          onClose={close}
        >
          <TextField name="host" label={texts.host} required autoComplete="off" inputMode="url" />
        </ReasonDialog>
      )}
      {allowed !== undefined && (
        <ReasonDialog
          title={texts.unbarOf(allowed)}
          lead={texts.unbarLead}
          action={texts.unbar}
          isBusy={unbar.isPending}
          error={unbar.error}
          onSubmit={(values) =>
            unbar.mutate(
              { body: { host: allowed, reason: values.text('reason') } },
              { onSuccess: close },
            )
          }
          onClose={close}
        />
      )}
    </section>
  );
}
