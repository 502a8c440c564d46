import { useQuery } from '@tanstack/react-query';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../call.ts';
import { queryOf, useAction } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Optional } from '../ui/controls/field.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { RoleChoice } from './role-choice.tsx';

const NOTE_LENGTH_MAX = 200;

/** Two steps: the form, then the link, which cannot be shown again. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts().team;
  const invite = useAction('invite', { invalidates: ['team'], isSecret: true });
  const [role, setRole] = useState<Role>('developer');
  const { data: invitation } = invite;
  const close = () => {
    invite.reset();
    onClose();
  };
  const send = (values: FormValues) => {
    const note = values.optional('note');
    const email = values.optional('email');
    invite.mutate({ body: { role, ...(note && { note }), ...(email && { email }) } });
  };
  if (invitation !== undefined) {
    return (
      <Dialog key="link" title={texts.linkTitle} onClose={close} canClose={false}>
        <InvitationLink invitation={invitation} onDone={close} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.inviteTitle} onClose={close}>
      <Form error={invite.error} onSubmit={send}>
        <RoleChoice role={role} onChoose={setRole} />
        <TextField
          name="note"
          label={<Optional label={texts.note} />}
          hint={texts.noteHint}
          maxLength={NOTE_LENGTH_MAX}
          autoComplete="off"
        />
        <EmailField />
        <FormActions>
          <Button type="submit" look="primary" isBusy={invite.isPending}>
            {texts.createLink}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** Shown only where letters can be sent. */
function EmailField() {
  const texts = useTexts().team;
  const { data: signInOptions } = useQuery(queryOf('signInOptions'));
  if (signInOptions?.has_mail !== true) return null;
  return (
    <TextField
      name="email"
      type="email"
      label={<Optional label={texts.email} />}
      hint={texts.emailHint}
      maxLength={254}
      autoComplete="off"
    />
  );
}

function InvitationLink(props: { invitation: Answer<'invite'>; onDone: () => void }) {
  const { link, ends_at: endsAt } = props.invitation;
  const texts = useTexts().team;
  const format = useFormat();
  return (
    <div className="grid gap-4">
      <TextField
        name="link"
        label={texts.linkLabel}
        hint={texts.linkWorks(format.timeToMinute(endsAt))}
        value={link}
        isMono
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <p className="text-table">{texts.linkOnce}</p>
      <FormActions>
        <CopyButton look="primary" text={link} label={texts.copyLink} />
        {'share' in navigator && (
          <Button icon={<Share2 aria-hidden="true" size={16} />} onClick={() => void share(link)}>
            {texts.share}
          </Button>
        )}
        <Button look="quiet" onClick={props.onDone}>
          {texts.done}
        </Button>
      </FormActions>
    </div>
  );
}

/** Closing the system's share sheet rejects the promise; that is not an error. */
async function share(url: string): Promise<void> {
  await navigator.share({ url }).catch(() => undefined);
}
