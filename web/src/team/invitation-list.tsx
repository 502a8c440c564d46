import type { Invitation } from '@zhiber/contract/cabinet/company.ts';
import { useState } from 'react';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Time } from '../ui/display/time.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';

export function InvitationList({ invitations }: { invitations: Invitation[] }) {
  const texts = useTexts().team;
  const [withdrawing, setWithdrawing] = useState<Invitation>();
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">{texts.invitations}</h2>
      <DataTable
        caption={texts.invitations}
        columns={useColumns(setWithdrawing)}
        rows={invitations}
        rowKey={({ id }) => id}
        empty={null}
      />
      {withdrawing !== undefined && (
        <WithdrawDialog invitation={withdrawing} onClose={() => setWithdrawing(undefined)} />
      )}
    </section>
  );
}

function useColumns(onWithdraw: (invitation: Invitation) => void): Column<Invitation>[] {
  const texts = useTexts();
  const words = texts.team;
  const noteText = ({ note }: Invitation) => note ?? words.noNote;
  return [
    { id: 'note', title: words.invitationFor, cell: noteText },
    { id: 'role', title: words.role, cell: ({ role }) => texts.ui.roles[role] },
    { id: 'by', title: words.invitedBy, cell: ({ invited_by: by }) => by },
    {
      id: 'ends',
      title: words.ends,
      cell: ({ ends_at: at }) => <Time at={at} as="timeToMinute" />,
    },
    {
      id: 'withdraw',
      title: words.withdraw,
      isTitleHidden: true,
      isNumber: true,
      onCard: 'plain',
      cell: (invitation) => (
        <Button
          aria-label={words.withdrawOf(noteText(invitation))}
          onClick={() => onWithdraw(invitation)}
        >
          {words.withdraw}
        </Button>
      ),
    },
  ];
}

function WithdrawDialog(props: { invitation: Invitation; onClose: () => void }) {
  const { invitation, onClose } = props;
  const texts = useTexts().team;
  const { showToast } = useToasts();
  const withdraw = useAction('withdrawInvitation', { invalidates: ['team'] });
  const finish = () => {
    onClose();
    showToast(texts.withdrawn);
  };
  return (
    <ConfirmDialog
      title={texts.withdrawTitle}
      action={texts.withdraw}
      state={withdraw}
      onClose={onClose}
      onConfirm={() => withdraw.mutate({ params: { id: invitation.id } }, { onSuccess: finish })}
    >
      <p className="text-table">
        {invitation.note ?? texts.noNote}. {texts.withdrawNote}
      </p>
    </ConfirmDialog>
  );
}
