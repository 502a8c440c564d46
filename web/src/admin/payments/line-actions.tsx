import { NOTE_LENGTH_MAX } from '@zhiber/contract/admin/payment-words.ts';
import type { DeskLine } from '@zhiber/contract/admin/payments.ts';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Segments } from '../../ui/controls/segments.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Facts } from '../../ui/display/card.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { useAction } from '../call.ts';
import { RowActions } from '../row-actions.tsx';

/** What an operator can do about money that names no order. */
export function LineActions({ line }: { line: DeskLine }) {
  const texts = useAdminTexts().payments;
  const [isOpen, setOpen] = useState<'match' | 'aside'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <RowActions>
        <Button onClick={() => setOpen('match')}>{texts.match}</Button>
        <Button look="quiet" onClick={() => setOpen('aside')}>
          {texts.setAside}
        </Button>
      </RowActions>
      {isOpen === 'match' && <MatchLine line={line} onClose={close} />}
      {isOpen === 'aside' && <SetAside line={line} onClose={close} />}
    </>
  );
}

function MatchLine({ line, onClose }: { line: DeskLine; onClose: () => void }) {
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { showToast } = useToasts();
  const [to, setTo] = useState<'order' | 'company'>('order');
  const match = useAction('matchLine', {
    invalidates: ['paymentQueue', 'paymentOrders', 'payments', 'overview'],
  });
  const result = match.data?.result;
  const refused =
    result === 'no_target' || result === 'matched'
      ? texts.matchResults[result](match.data?.target ?? '')
      : undefined;
  return (
    <ActDialog
      title={texts.matchTitle(format.money(line.amount))}
      action={texts.matchAction}
      state={match}
      onSubmit={(values) =>
        match.mutate(
          {
            params: { id: line.id },
            body:
              to === 'order'
                ? { reference: values.text('reference') }
                : { company_id: Number(values.text('company_id')) },
          },
          {
            onSuccess: ({ result: became, target }) => {
              if (became === 'no_target' || became === 'matched') return;
              showToast(texts.matchResults[became](target ?? ''));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <LineFacts line={line} />
      <Segments
        label={texts.matchTo}
        options={[
          { value: 'order', label: texts.matchToOrder },
          { value: 'company', label: texts.matchToCompany },
        ]}
        value={to}
        onChoose={(chosen) => {
          setTo(chosen);
          match.reset();
        }}
      />
      {to === 'order' ? (
        <TextField
          name="reference"
          label={texts.reference}
          placeholder="ZB-"
          required
          isMono
          maxLength={40}
          autoComplete="off"
          error={refused}
        />
      ) : (
        <TextField
          name="company_id"
          label={texts.companyId}
          type="number"
          min={1}
          step={1}
          required
          autoComplete="off"
          error={refused}
        />
      )}
    </ActDialog>
  );
}

function LineFacts({ line }: { line: DeskLine }) {
  const { columns } = useAdminTexts().payments;
  return (
    <Facts
      rows={[
        [columns.date, <Time key="at" at={line.paid_at} as="date" />],
        [columns.document, line.bank_reference ?? '—'],
        [columns.payer, line.payer_name ?? '—'],
        [columns.purpose, line.purpose],
      ]}
    />
  );
}

function SetAside({ line, onClose }: { line: DeskLine; onClose: () => void }) {
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { showToast } = useToasts();
  const review = useAction('reviewPayment', { invalidates: ['paymentQueue'] });
  return (
    <ActDialog
      title={texts.setAsideTitle(format.money(line.amount))}
      action={texts.setAside}
      isDangerous
      state={review}
      onSubmit={(values) =>
        review.mutate(
          { body: { kind: 'line', id: line.id, note: values.text('note') } },
          {
            onSuccess: () => {
              showToast(texts.reviewed);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <LineFacts line={line} />
      <p className="text-table text-muted">{texts.setAsideNote}</p>
      <TextField
        name="note"
        label={texts.setAsideReason}
        required
        maxLength={NOTE_LENGTH_MAX}
        autoComplete="off"
      />
    </ActDialog>
  );
}
