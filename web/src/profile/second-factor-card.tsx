import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { SIGN_IN_QUERIES, useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { SecondFactorDialog } from './second-factor-dialog.tsx';

export function SecondFactorCard() {
  const texts = useTexts().profile;
  const { has_code_app: isOn } = useSession().person;
  const [open, setOpen] = useState<'start' | 'end'>();
  const close = () => setOpen(undefined);
  return (
    <Card
      title={texts.secondFactor}
      aside={
        <Chip tone={isOn ? 'ok' : 'calm'} icon={isOn ? ShieldCheck : ShieldOff}>
          {isOn ? texts.isOn : texts.isOff}
        </Chip>
      }
    >
      <div className="grid justify-items-start gap-3">
        <p className="text-table text-muted">{isOn ? texts.secondOnNote : texts.secondOffNote}</p>
        {isOn ? (
          <Button look="danger" onClick={() => setOpen('end')}>
            {texts.endSecond}
          </Button>
        ) : (
          <Button onClick={() => setOpen('start')}>{texts.startSecond}</Button>
        )}
      </div>
      {open === 'start' && <SecondFactorDialog onClose={close} />}
      {open === 'end' && <EndDialog onClose={close} />}
    </Card>
  );
}

function EndDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts().profile;
  const { has_passkey: hasPasskey } = useSession().person;
  const { showToast } = useToasts();
  const end = useAction('endSecondFactor', { invalidates: SIGN_IN_QUERIES });
  const finish = () => {
    onClose();
    showToast(texts.secondEnded);
  };
  return (
    <ConfirmDialog
      title={texts.endSecondTitle}
      action={texts.endSecond}
      state={end}
      onClose={onClose}
      onConfirm={() => end.mutate({}, { onSuccess: finish })}
    >
      <p className="text-table">{hasPasskey ? texts.endSecondKeepsPasskey : texts.endSecondNote}</p>
    </ConfirmDialog>
  );
}
