import { CircleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useLang } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { DropArea } from '../../ui/controls/drop-area.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { Card } from '../../ui/display/card.tsx';
import { Chip, type Tone } from '../../ui/display/chip.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { type DeskAnswer, useAction } from '../call.ts';

type Imported = DeskAnswer<'importStatement'>;
type Line = Imported['lines'][number];

/** The import of a bank statement, and what became of its lines. */
export function StatementImport() {
  const texts = useAdminTexts().payments;
  const { lang } = useLang();
  const [file, setFile] = useState<File>();
  const labelId = useId();
  const hintId = useId();
  const upload = useAction('importStatement', {
    invalidates: ['paymentQueue', 'paymentOrders', 'payments', 'overview'],
  });
  return (
    <>
      <Card>
        <Form
          className="max-w-form"
          error={upload.error}
          onSubmit={() => {
            if (file !== undefined) upload.mutate({ file, query: { language: lang } });
          }}
        >
          <p id={hintId} className="text-table text-muted">
            {texts.statementLead}
          </p>
          <div className="grid gap-1.5">
            <span id={labelId} className="text-table font-medium">
              {texts.file}
            </span>
            <DropArea
              title={file?.name ?? texts.dropFile}
              labelledBy={labelId}
              describedBy={hintId}
              accept=".csv,.txt,text/csv,text/plain"
              onFile={setFile}
            />
          </div>
          <FormActions>
            <Button
              type="submit"
              look="primary"
              isBusy={upload.isPending}
              disabled={file === undefined}
            >
              {texts.import}
            </Button>
          </FormActions>
        </Form>
      </Card>
      {upload.data !== undefined && <ImportResult imported={upload.data} />}
    </>
  );
}

function ImportResult({ imported }: { imported: Imported }) {
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { refusal, counts, outgoing, amount, lines } = imported;
  if (refusal !== null) {
    return (
      <div role="alert" className="rounded-card border border-bad bg-bad-tint p-4 text-bad">
        <p className="flex gap-2 font-medium">
          <CircleAlert aria-hidden="true" size={20} className="mt-0.5 shrink-0" />
          {texts.notImported}
        </p>
        <p className="mt-1">{refusal}</p>
      </div>
    );
  }
  const shown = { ...counts, outgoing };
  return (
    <section className="grid min-w-0 gap-3">
      <div role="status">
        <h2 className="text-lg">{texts.imported(format.money(amount))}</h2>
        <p className="flex flex-wrap gap-x-4 text-table text-muted">
          {(Object.keys(shown) as (keyof typeof shown)[]).map((name) => (
            <span key={name}>
              {texts.counts[name]}: {format.number(shown[name])}
            </span>
          ))}
        </p>
      </div>
      <Lines lines={lines} />
    </section>
  );
}

const TONES: Record<Line['outcome'], Tone> = {
  credited: 'ok',
  other_amount: 'warn',
  already: 'calm',
  no_order: 'warn',
  unreadable: 'bad',
};

function Lines({ lines }: { lines: Line[] }) {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const format = useFormat();
  const shown: Column<Line>[] = [
    { id: 'line', title: columns.line, cell: ({ line }) => format.number(line) },
    {
      id: 'outcome',
      title: columns.outcome,
      cell: ({ outcome }) => <Chip tone={TONES[outcome]}>{texts.counts[outcome]}</Chip>,
    },
    {
      id: 'order',
      title: columns.order,
      cell: ({ reference }) => <span className="font-mono">{reference ?? '—'}</span>,
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount }) => (amount === null ? '—' : format.money(amount)),
    },
    {
      id: 'note',
      title: columns.note,
      cell: ({ note }) => <span className="wrap-anywhere">{note ?? '—'}</span>,
    },
  ];
  return (
    <DataTable
      caption={columns.outcome}
      columns={shown}
      rows={lines}
      rowKey={({ line }) => line}
      empty={null}
    />
  );
}
