import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Incident } from '@zhiber/contract/admin/incidents.ts';
import { useState } from 'react';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import type { FormValues } from '../ui/controls/form.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Time } from '../ui/display/time.tsx';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { pagesOf, rowsOf, useAction } from './call.ts';
import { DeskLink } from './desk-link.tsx';
import { StateChip, Visibility } from './incidents/incident-cells.tsx';
import { IncidentDetail } from './incidents/incident-detail.tsx';
import {
  FactFields,
  factsIn,
  type IncidentKind,
  kindOf,
  SaidFields,
  saidIn,
} from './incidents/incident-fields.tsx';
import { type SectionProps, splatOf } from './section-address.ts';

/** All incidents, or one: `/admin/incidents/12`. */
export function IncidentsPage({ path }: SectionProps) {
  const [id] = path;
  return id === undefined ? <IncidentList /> : <IncidentDetail key={id} id={id} />;
}

function IncidentList() {
  const { frame, incidents: texts } = useAdminTexts();
  const [creating, setCreating] = useState<IncidentKind>();
  const columns = useColumns();
  const list = useInfiniteQuery(pagesOf('incidents'));
  const create = (
    <>
      <Button look="primary" onClick={() => setCreating('incident')}>
        {texts.create}
      </Button>
      <Button onClick={() => setCreating('maintenance')}>{texts.plan}</Button>
    </>
  );
  const rows = rowsOf<Incident>(list.data);
  return (
    <Page
      title={frame.sections.incidents}
      lead={texts.lead}
      actions={rows !== undefined && rows.length > 0 ? create : undefined}
    >
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={frame.sections.incidents}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={
            <EmptyState kind="first-use" title={texts.none} action={create}>
              {texts.noneAdvice}
            </EmptyState>
          }
        />
      )}
      <ShowMore list={list} />
      {creating !== undefined && (
        <CreateDialog kind={creating} onClose={() => setCreating(undefined)} />
      )}
    </Page>
  );
}

function useColumns(): Column<Incident>[] {
  const texts = useAdminTexts().incidents;
  return [
    {
      id: 'title',
      title: texts.title,
      cell: ({ id, title }) => (
        <DeskLink to={['incidents', id]} className="link wrap-anywhere">
          <span lang="ru">{title.ru}</span>
        </DeskLink>
      ),
    },
    {
      id: 'state',
      title: texts.state,
      cell: (incident) => <StateChip state={incident.state} kind={kindOf(incident)} />,
    },
    {
      id: 'impact',
      title: texts.impact,
      cell: (incident) =>
        kindOf(incident) === 'incident' ? texts.impacts[incident.impact] : texts.isMaintenance,
    },
    {
      id: 'components',
      title: texts.components,
      cell: ({ components }) => components.map((name) => texts.componentNames[name]).join(', '),
    },
    {
      id: 'visibility',
      title: texts.visibility,
      cell: (incident) => <Visibility incident={incident} />,
    },
    {
      id: 'started',
      title: texts.started,
      cell: ({ started_at: at }) => <Time at={at} as="timeToMinute" />,
    },
  ];
}

function CreateDialog({ kind, onClose }: { kind: IncidentKind; onClose: () => void }) {
  const texts = useAdminTexts().incidents;
  const navigate = useNavigate();
  const create = useAction('createIncident', { invalidates: ['incidents'] });
  const submit = (values: FormValues) =>
    create.mutate(
      { body: { ...factsIn(values, kind), ...saidIn(values) } },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: '/admin/$', params: { _splat: splatOf('incidents', id) } }),
      },
    );
  return (
    <ActDialog
      title={kind === 'incident' ? texts.create : texts.plan}
      action={texts.saveDraft}
      size="large"
      state={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <FactFields kind={kind} />
      <SaidFields kind={kind} />
    </ActDialog>
  );
}
