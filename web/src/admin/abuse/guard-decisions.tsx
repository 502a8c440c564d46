import { useQuery } from '@tanstack/react-query';
import type { GuardDecision } from '@zhiber/contract/admin/abuse.ts';
import { useState } from 'react';
import { useFilters, whole } from '../../app/filters.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Time } from '../../ui/display/time.tsx';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { queryOf, useAction } from '../call.ts';
import { useCompanyFilter } from '../company-filter.tsx';
import { CompanyLink } from '../company-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { CHANGED } from './closures.ts';
import { GuardAction } from './guard-action.tsx';

const FILTERS = { company_id: whole };

const HOURS = ['1', '6', '24', '72'] as const;

export function GuardDecisions() {
  const texts = useAdminTexts().abuse;
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const ofCompany = useCompanyFilter(filters.company_id, () =>
    setFilters({ company_id: undefined }),
  );
  const list = useQuery(queryOf('guardDecisions', { query: { company_id: filters.company_id } }));
  const [pardoned, setPardoned] = useState<GuardDecision>();
  const columns = useDecisionColumns(setPardoned);
  return (
    <DeskSection title={texts.decisions} lead={texts.decisionsLead}>
      {isFiltered && <FilterBar filters={ofCompany} isFiltered onReset={resetFilters} />}
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
    </DeskSection>
  );
}

function useDecisionColumns(onPardon: (decision: GuardDecision) => void): Column<GuardDecision>[] {
  const texts = useAdminTexts().abuse;
  const format = useFormat();
  return [
    {
      id: 'company',
      title: texts.company,
      cell: ({ company }) => <CompanyLink company={company} />,
    },
    { id: 'prefix', title: texts.prefix, cell: ({ prefix }) => `+${prefix}…` },
    { id: 'at', title: texts.at, cell: ({ at }) => <Time at={at} as="timeToMinute" /> },
    {
      id: 'codes',
      title: texts.codes,
      cell: ({ verified, sent, share_max: share }) => (
        <span>
          {texts.codesOf(format.number(verified), format.number(sent))}
          <span className="block text-sm whitespace-nowrap text-muted">
            {texts.shareMax(format.percent(share))}
          </span>
        </span>
      ),
    },
    {
      id: 'action',
      title: texts.action,
      cell: (decision) => <GuardAction decision={decision} />,
      className: 'sm:whitespace-nowrap',
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
      className: 'sm:whitespace-nowrap',
    },
  ];
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
      state={pardon}
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
