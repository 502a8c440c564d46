import { useQuery } from '@tanstack/react-query';
import { AUDIT_ACTIONS, type AuditAction } from '@zhiber/contract/cabinet/company.ts';
import type { FiltersOf } from '../app/filters.ts';
import { oneOf, text } from '../app/filters.ts';
import { queryOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { SelectField } from '../ui/controls/select-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { PERIODS, type Period } from './period.ts';

export const AUDIT_FILTERS = {
  action: oneOf(AUDIT_ACTIONS),
  person: text,
  period: oneOf(PERIODS),
  from: text,
  to: text,
};
export type AuditFilterValues = FiltersOf<typeof AUDIT_FILTERS>;

type FiltersProps = {
  filters: AuditFilterValues;
  onChange: (changes: Partial<AuditFilterValues>) => void;
};

export function AuditFilters({ filters, onChange }: FiltersProps) {
  const texts = useTexts().audit;
  return (
    <search className="flex flex-wrap items-end gap-3">
      <div className="w-64 max-w-full max-sm:w-full">
        <SelectField
          name="action"
          label={texts.what}
          value={filters.action ?? ''}
          options={[
            { value: '', label: texts.anyAction },
            ...AUDIT_ACTIONS.map((value) => ({ value, label: texts.actions[value] })),
          ]}
          onChoose={(value) =>
            onChange({ action: (value || undefined) as AuditAction | undefined })
          }
        />
      </div>
      <PersonFilter filters={filters} onChange={onChange} />
      <PeriodFilter filters={filters} onChange={onChange} />
    </search>
  );
}

function PersonFilter({ filters, onChange }: FiltersProps) {
  const texts = useTexts().audit;
  const { data: team } = useQuery(queryOf('team'));
  const members = team?.members ?? [];
  return (
    <div className="w-56 max-w-full max-sm:w-full">
      <SelectField
        name="person"
        label={texts.who}
        value={filters.person ?? ''}
        options={[
          { value: '', label: texts.anybody },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChoose={(value) => onChange({ person: value || undefined })}
      />
    </div>
  );
}

function PeriodFilter({ filters, onChange }: FiltersProps) {
  const texts = useTexts().audit;
  return (
    <>
      <div className="w-44 max-w-full max-sm:w-full">
        <SelectField
          name="period"
          label={texts.period}
          value={filters.period ?? ''}
          options={[
            { value: '', label: texts.anyTime },
            ...PERIODS.map((value) => ({ value, label: texts.periods[value] })),
          ]}
          onChoose={(value) => onChange({ period: (value || undefined) as Period | undefined })}
        />
      </div>
      {filters.period === 'dates' &&
        (['from', 'to'] as const).map((end) => (
          <div key={end} className="w-40 max-sm:w-full">
            <TextField
              name={end}
              type="date"
              label={texts[end]}
              defaultValue={filters[end] ?? ''}
              onChange={({ currentTarget: { value } }) => onChange({ [end]: value || undefined })}
            />
          </div>
        ))}
    </>
  );
}
