import { useState } from 'react';
import { useAction } from '../../queries.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { Card } from '../../ui/display/card.tsx';
import { guessPhoneColumn } from './phone-column.ts';
import type { StepProps } from './step-frame.tsx';

const COLUMN_NAME_LENGTH_MAX = 100;

/** Which column has the phones and which the consent, and how the text will call each of them. */
export function ColumnChoice({ draft, goTo }: StepProps) {
  const texts = useBroadcastTexts();
  const { rows } = draft.broadcast;
  const choose = useAction('chooseColumns');
  const [names, setNames] = useState(rows.columns);
  const [phone, setPhone] = useState(
    rows.phone_column ?? guessPhoneColumn(rows.columns, rows.preview),
  );
  const [consent, setConsent] = useState(rows.consent_column);
  const options = names.map((name, place) => ({
    value: String(place + 1),
    label: name.trim() || texts.columnOf(place + 1),
  }));
  const submit = () => {
    if (phone === undefined) return;
    const body = {
      phone,
      consent,
      names: names.map((name, place) => name.trim() || texts.columnOf(place + 1)),
    };
    choose.mutate(
      { params: { id: draft.id }, body },
      {
        onSuccess: async ({ rows: checked }) => {
          draft.show({ rows: checked });
          await draft.adopt();
          goTo('check');
        },
      },
    );
  };
  return (
    <Card title={texts.columnsTitle}>
      <Form error={choose.error} onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            name="phone"
            label={texts.phoneColumn}
            required
            value={String(phone ?? '')}
            onChoose={(value) => setPhone(value === '' ? undefined : Number(value))}
            options={[
              ...(phone === undefined ? [{ value: '', label: texts.choosePhoneColumn }] : []),
              ...options,
            ]}
          />
          <SelectField
            name="consent"
            label={<Optional label={texts.consentColumn} />}
            hint={texts.consentColumnHint}
            value={String(consent ?? '')}
            onChoose={(value) => setConsent(value === '' ? null : Number(value))}
            options={[{ value: '', label: texts.noConsentColumn }, ...options]}
          />
        </div>
        <PreviewTable
          rows={rows.preview}
          names={names}
          phone={phone}
          onName={(place, name) => setNames(names.with(place, name))}
        />
        <FormActions>
          <Button type="submit" look="primary" isBusy={choose.isPending}>
            {texts.checkRows}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

/** The first rows as they were read: a wrong encoding or delimiter is seen at once. */
function PreviewTable(props: {
  rows: readonly { number: number; cells: string[] }[];
  names: readonly string[];
  phone: number | undefined;
  onName: (place: number, name: string) => void;
}) {
  const { rows, names, phone, onName } = props;
  const texts = useBroadcastTexts();
  return (
    <div className="grid gap-1.5">
      <p className="text-table font-medium">{texts.preview}</p>
      <p className="text-sm text-muted">{texts.previewHint}</p>
      <div className="overflow-x-auto rounded-card border border-hairline">
        <table className="w-full text-table">
          <caption className="sr-only">{texts.preview}</caption>
          <thead>
            <tr>
              <th scope="col" className="px-3 py-2 text-start text-sm font-medium text-muted">
                {texts.rowNumber}
              </th>
              {names.map((name, place) => (
                <th key={place} scope="col" className="px-1.5 py-2">
                  <input
                    aria-label={texts.columnNameOf(place + 1)}
                    value={name}
                    maxLength={COLUMN_NAME_LENGTH_MAX}
                    onChange={(event) => onName(place, event.currentTarget.value)}
                    className="target w-full min-w-32 rounded-control border border-border bg-surface px-2 text-sm font-medium"
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, cells }) => (
              <tr key={number} className="border-t border-hairline">
                <td className="px-3 py-2 text-muted">{number}</td>
                {names.map((_, place) => (
                  <td
                    key={place}
                    className={
                      phone === place + 1 ? 'px-3 py-2 font-medium whitespace-nowrap' : 'px-3 py-2'
                    }
                  >
                    {cells[place]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
