import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { queryOf } from '../queries.ts';
import { useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { PhoneDialog } from './phone-dialog.tsx';

/** The sign-in contacts. A new one takes effect only after it has been verified. */
export function ContactsCard() {
  const texts = useTexts().profile;
  const format = useFormat();
  const { person } = useSession();
  const { data: signInOptions } = useQuery(queryOf('signInOptions'));
  const [open, setOpen] = useState<'email' | 'phone'>();
  const close = () => setOpen(undefined);
  return (
    <Card title={texts.contacts}>
      <div className="grid divide-y divide-hairline">
        <Contact
          title={texts.email}
          value={person.email}
          note={signInOptions?.has_mail === false ? texts.noMail : undefined}
          action={
            signInOptions?.has_mail === true && (
              <ChangeButton
                what={texts.email}
                isGiven={person.email !== null}
                onPress={() => setOpen('email')}
              />
            )
          }
        />
        <Contact
          title={texts.phone}
          value={person.phone === null ? null : format.phone(person.phone)}
          action={
            <ChangeButton
              what={texts.phone}
              isGiven={person.phone !== null}
              onPress={() => setOpen('phone')}
            />
          }
        />
      </div>
      {open === 'email' && <EmailDialog onClose={close} />}
      {open === 'phone' && <PhoneDialog onClose={close} />}
    </Card>
  );
}

function Contact(props: {
  title: string;
  value: string | null;
  note?: string | undefined;
  action: ReactNode;
}) {
  const texts = useTexts().profile;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="grid min-w-0">
        <span className="text-sm text-muted">{props.title}</span>
        <span className={props.value === null ? 'text-muted' : 'break-all'}>
          {props.value ?? texts.notGiven}
        </span>
        {props.note !== undefined && <span className="text-sm text-muted">{props.note}</span>}
      </div>
      {props.action}
    </div>
  );
}

function ChangeButton(props: { what: string; isGiven: boolean; onPress: () => void }) {
  const texts = useTexts().profile;
  const verb = props.isGiven ? texts.change : texts.add;
  return (
    <Button aria-label={`${verb}: ${props.what}`} onClick={props.onPress}>
      {verb}
    </Button>
  );
}
