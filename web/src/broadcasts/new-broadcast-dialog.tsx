import { useNavigate } from '@tanstack/react-router';
import { Monitor } from 'lucide-react';
import { useAction } from '../queries.ts';
import { useBroadcastTexts } from '../texts/use-broadcast-texts.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { NameDialog } from './name-dialog.tsx';

/** Names the draft; everything else is asked in its steps. */
export function NewBroadcastDialog({ onClose }: { onClose: () => void }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const navigate = useNavigate();
  const create = useAction('createBroadcast', { invalidates: ['broadcasts'] });
  const open = ({ id }: { id: string }) =>
    void navigate({ to: '/app/broadcasts/$id', params: { id }, search: { step: '1' } });
  return (
    <NameDialog
      title={texts.create}
      action={texts.createSubmit}
      field={{
        label: texts.name,
        hint: texts.nameHint,
        defaultValue: texts.nameOf(format.date(Date.now())),
        onFocus: (event) => event.currentTarget.select(),
      }}
      state={create}
      onName={(name) => create.mutate({ body: { name } }, { onSuccess: open })}
      onClose={onClose}
    >
      <HandierOnComputer />
    </NameDialog>
  );
}

/** Only on a small screen. */
export function HandierOnComputer() {
  const texts = useBroadcastTexts();
  return (
    <p className="flex gap-2 rounded-control bg-info-tint px-3 py-2 text-sm text-info sm:hidden">
      <Monitor aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      {texts.handierOnComputer}
    </p>
  );
}
