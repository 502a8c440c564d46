import type { Correction } from '@zhiber/contract/admin/companies.ts';
import { Check, Clock, Hourglass, type LucideIcon, X } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, type Tone } from '../../ui/display/chip.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { useAction } from '../call.ts';
import { CompanyLink } from '../company-link.tsx';
import { RowActions } from '../row-actions.tsx';

const LOOKS: Record<Correction['state'], { tone: Tone; icon: LucideIcon }> = {
  applied: { tone: 'ok', icon: Check },
  waiting: { tone: 'warn', icon: Hourglass },
  declined: { tone: 'calm', icon: X },
  expired: { tone: 'calm', icon: Clock },
};

/** Corrections with their state; those of other operators can be decided here. */
export function CorrectionTable(props: { rows: readonly Correction[]; hasCompany?: boolean }) {
  const texts = useAdminTexts().companies;
  const money = useSignedMoney();
  const columns: Column<Correction>[] = [
    {
      id: 'amount',
      title: texts.amount,
      isNumber: true,
      cell: ({ amount }) => <span className="font-medium">{money(amount)}</span>,
    },
    {
      id: 'company',
      title: texts.name,
      cell: ({ company }) => <CompanyLink company={company} />,
    },
    {
      id: 'reason',
      title: texts.reason,
      cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span>,
      onCard: 'plain',
    },
    {
      id: 'when',
      title: texts.when,
      cell: ({ asked_at: at, asked_by: by }) => (
        <span className="grid">
          <Time at={at} as="timeToMinute" />
          <span className="text-sm text-muted">{by}</span>
        </span>
      ),
    },
    {
      id: 'state',
      title: texts.state,
      cell: (correction) => <State correction={correction} />,
      onCard: 'plain',
      className: 'sm:whitespace-nowrap',
    },
    {
      id: 'decide',
      title: texts.approve,
      isTitleHidden: true,
      cell: (correction) =>
        correction.state === 'waiting' &&
        !correction.is_own && <Decision correction={correction} />,
      onCard: 'plain',
    },
  ];
  return (
    <DataTable
      caption={texts.corrections}
      columns={columns.filter(({ id }) => props.hasCompany || id !== 'company')}
      rows={props.rows}
      rowKey={({ id }) => id}
      empty={<p className="text-table text-muted">{texts.noCorrections}</p>}
    />
  );
}

/** `+500 ₸` or `−500 ₸`. */
function useSignedMoney(): (amount: number) => string {
  const format = useFormat();
  return (amount) => `${amount < 0 ? '−' : '+'}${format.money(Math.abs(amount))}`;
}

function State({ correction }: { correction: Correction }) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  const { state, decided_by: decidedBy, expires_at: expiresAt, is_own: isOwn } = correction;
  return (
    <div className="grid justify-items-start gap-1.5">
      <Chip {...LOOKS[state]}>{texts.correctionStates[state]}</Chip>
      {decidedBy !== null && (
        <span className="text-sm text-muted">{texts.decidedBy(decidedBy)}</span>
      )}
      {state === 'waiting' && expiresAt !== null && (
        <span className="text-sm text-muted">
          {texts.waitsUntil(format.timeToMinute(expiresAt))}
        </span>
      )}
      {state === 'waiting' && isOwn && (
        <span className="text-sm whitespace-normal text-muted">{texts.ownRequest}</span>
      )}
    </div>
  );
}

const INVALIDATES = ['company', 'companies', 'waitingCorrections', 'audit'] as const;

function Decision({ correction }: { correction: Correction }) {
  const texts = useAdminTexts().companies;
  const money = useSignedMoney();
  const { showToast } = useToasts();
  const [isAsking, setAsking] = useState(false);
  const approve = useAction('approveCorrection', { invalidates: INVALIDATES });
  const decline = useAction('declineCorrection', { invalidates: INVALIDATES });
  const params = { id: correction.id };
  return (
    <>
      <RowActions error={decline.error}>
        <Button onClick={() => setAsking(true)}>{texts.approve}</Button>
        <Button
          look="quiet"
          isBusy={decline.isPending}
          onClick={() => decline.mutate({ params }, { onSuccess: () => showToast(texts.declined) })}
        >
          {texts.decline}
        </Button>
      </RowActions>
      {isAsking && (
        <ConfirmDialog
          title={texts.approveTitle(money(correction.amount), correction.company.name)}
          action={texts.approve}
          state={approve}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            approve.mutate(
              { params },
              {
                onSuccess: () => {
                  setAsking(false);
                  showToast(texts.approved);
                },
              },
            )
          }
        >
          <p className="text-table wrap-anywhere">{correction.reason}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
