import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { SwitchField } from '../ui/controls/tick-field.tsx';
import { Card } from '../ui/display/card.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

/** For owners: whether everybody in the company has to have a second factor. */
export function SecurityCard({ isRequired }: { isRequired: boolean }) {
  const texts = useTexts().company;
  const { has_second_factor: hasOwn } = useSession().person;
  const { showToast } = useToasts();
  const [isAsking, setAsking] = useState(false);
  const change = useAction('requireSecondFactor', { invalidates: ['company', 'session'] });
  const set = (isOn: boolean) =>
    change.mutate(
      { body: { is_required: isOn } },
      {
        onSuccess: () => {
          setAsking(false);
          showToast(isOn ? texts.requireSecondOn : texts.requireSecondOff);
        },
      },
    );
  const close = () => {
    setAsking(false);
    // The dialog has shown the error; it would appear again under the switch.
    if (change.isError) change.reset();
  };
  const canRequire = hasOwn || isRequired;
  return (
    <Card title={texts.security}>
      <div className="grid justify-items-start gap-3">
        <SwitchField
          name="requires_second_factor"
          label={texts.requireSecond}
          hint={canRequire ? texts.requireSecondHint : texts.requireSecondFirst}
          checked={isRequired}
          disabled={!canRequire || change.isPending}
          onChange={() => (isRequired ? set(false) : setAsking(true))}
        />
        {!canRequire && <LinkButton to="/app/profile">{texts.toProfile}</LinkButton>}
        {!isAsking && <Refusal error={change.error} />}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.requireSecondTitle}
          action={texts.requireSecondAction}
          state={change}
          onClose={close}
          onConfirm={() => set(true)}
        >
          <Consequences />
        </ConfirmDialog>
      )}
    </Card>
  );
}

/** How many people would have to set one up. */
function Consequences() {
  const texts = useTexts().company;
  const { data } = useQuery(queryOf('team'));
  if (data === undefined) return null;
  const without = data.members.filter((member) => !member.has_second_factor);
  return (
    <p className="text-table">{texts.requireSecondNote(without.length, data.members.length)}</p>
  );
}
