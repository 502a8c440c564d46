import { useQuery } from '@tanstack/react-query';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Optional } from '../ui/controls/field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

const RECENT_MS = 7 * 24 * 3_600_000;

/** Revokes a key permanently, after showing what will stop working. */
export function RevokeDialog({ row, onClose }: { row: Key; onClose: () => void }) {
  const texts = useTexts().keys.revoke;
  const format = useFormat();
  const { showToast } = useToasts();
  const [reason, setReason] = useState('');
  const revoke = useAction('revokeKey', { invalidates: ['keys'] });
  const use = useQuery(queryOf('keyUse', { params: { id: row.id }, query: { range: '24h' } }));
  const sends = use.data?.sends_last_day;
  const confirm = () =>
    revoke.mutate(
      { params: { id: row.id }, body: reason.trim() === '' ? {} : { reason: reason.trim() } },
      {
        onSuccess: () => {
          showToast(texts.done);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={texts.title(row.name)}
      action={texts.submit}
      {...(isInUse(row) && { typeToConfirm: row.name })}
      onConfirm={confirm}
      onClose={onClose}
      state={revoke}
    >
      <div className="grid gap-2 text-table">
        {sends !== undefined && <p>{texts.consequence(sends, format.number(sends))}</p>}
        <p>{texts.forGood}</p>
      </div>
      <TextField
        name="reason"
        label={<Optional label={texts.reason} />}
        hint={texts.reasonHint}
        value={reason}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

/** Used in the last seven days, so revoking it would break something. */
function isInUse({ used_at: usedAt, sends_by_day: sends }: Key): boolean {
  const isRecent = usedAt !== null && Date.now() - Date.parse(usedAt) < RECENT_MS;
  return isRecent || sends.some((count) => count > 0);
}
