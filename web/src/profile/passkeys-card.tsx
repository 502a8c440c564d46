import { useMutation, useQuery } from '@tanstack/react-query';
import { PASSKEY_NAME_LENGTH_MAX } from '@zhiber/contract/cabinet/credentials.ts';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { type Answer, call } from '../call.ts';
import { canUsePasskeys, makePasskey } from '../passkeys.ts';
import { invalidate, queryOf, SIGN_IN_QUERIES, useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Card } from '../ui/display/card.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { RecoveryCodes } from '../ui/identity/recovery-codes.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

type Passkey = Answer<'passkeys'>['passkeys'][number];
type Open = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

export function PasskeysCard() {
  const texts = useTexts().profile;
  const { data, error, refetch } = useQuery(queryOf('passkeys'));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Card title={texts.passkeys}>
      <div className="grid justify-items-start gap-3">
        <p className="text-table text-muted">{texts.passkeysNote}</p>
        {error !== null && <ErrorCard error={error} onRetry={refetch} />}
        {error === null && data === undefined && <Skeleton className="w-2/3" />}
        {data !== undefined && data.passkeys.length > 0 && (
          <ul className="grid w-full divide-y divide-hairline">
            {data.passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRename={() => setOpen({ what: 'rename', passkey })}
                onRemove={() => setOpen({ what: 'remove', passkey })}
              />
            ))}
          </ul>
        )}
        {canUsePasskeys ? (
          <Button onClick={() => setOpen({ what: 'add' })}>{texts.addPasskey}</Button>
        ) : (
          <p className="text-sm text-muted">{texts.noPasskeyHere}</p>
        )}
      </div>
      {open?.what === 'add' && <AddDialog onClose={close} />}
      {open?.what === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog passkey={open.passkey} isLast={data?.passkeys.length === 1} onClose={close} />
      )}
    </Card>
  );
}

function PasskeyRow(props: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const { name, created_at: createdAt, used_at: usedAt } = props.passkey;
  const texts = useTexts().profile;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Fingerprint aria-hidden="true" size={20} className="shrink-0 text-muted" />
      <div className="grid min-w-0 grow basis-48">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="text-sm text-muted">
          {texts.passkeyMadeAt} <Time at={createdAt} as="date" />
          {' · '}
          {usedAt === null ? (
            texts.passkeyNeverUsed
          ) : (
            <>
              {texts.passkeyUsedAt} <Time at={usedAt} as="relative" />
            </>
          )}
        </span>
      </div>
      <div className="flex gap-2">
        <Button aria-label={`${texts.renamePasskey}: ${name}`} onClick={props.onRename}>
          {texts.renamePasskey}
        </Button>
        <Button
          look="danger"
          aria-label={`${texts.removePasskey}: ${name}`}
          onClick={props.onRemove}
        >
          {texts.removePasskey}
        </Button>
      </div>
    </li>
  );
}

const PASSKEY_QUERIES = ['passkeys', ...SIGN_IN_QUERIES] as const;

/** A name, then the prompt of the device. With a first second factor, also the recovery codes. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts().profile;
  const { showToast } = useToasts();
  const { data } = useQuery(queryOf('sessions'));
  const device = data?.sessions.find(({ is_this: isThis }) => isThis)?.device;
  const close = () => {
    add.reset();
    // Not earlier: a page that waits for a second factor would unmount the dialog with the codes.
    invalidate(PASSKEY_QUERIES);
    onClose();
  };
  const add = useMutation({
    gcTime: 0,
    mutationFn: async (name: string) => {
      const { options } = await call('startPasskey');
      const answer = await makePasskey(options);
      return await call('addPasskey', { body: { name, answer } });
    },
    onSuccess: ({ recovery_codes: codes }) => {
      showToast(texts.passkeyAdded);
      if (codes.length === 0) close();
    },
  });
  const codes = add.data?.recovery_codes;
  if (codes !== undefined && codes.length > 0) {
    return (
      <Dialog title={texts.recoveryTitle} onClose={close} canClose={false}>
        <RecoveryCodes codes={codes} onDone={close} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.addPasskey} onClose={close}>
      <Form error={add.error} onSubmit={(values) => add.mutate(values.text('name'))}>
        <NameField defaultValue={device ?? ''} />
        <p className="text-sm text-muted">{texts.addPasskeyLead}</p>
        <FormActions>
          <Button type="submit" look="primary" isBusy={add.isPending}>
            {texts.createPasskey}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

function NameField({ defaultValue }: { defaultValue: string }) {
  const texts = useTexts().profile;
  return (
    <TextField
      name="name"
      label={texts.passkeyName}
      hint={texts.passkeyNameHint}
      defaultValue={defaultValue}
      maxLength={PASSKEY_NAME_LENGTH_MAX}
      autoComplete="off"
      required
    />
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const texts = useTexts();
  const { showToast } = useToasts();
  const rename = useAction('renamePasskey', { invalidates: ['passkeys'] });
  const finish = () => {
    onClose();
    showToast(texts.profile.saved);
  };
  return (
    <Dialog title={texts.profile.renamePasskey} onClose={onClose}>
      <Form
        error={rename.error}
        onSubmit={(values) =>
          rename.mutate(
            { params: { id: passkey.id }, body: { name: values.text('name') } },
            { onSuccess: finish },
          )
        }
      >
        <NameField defaultValue={passkey.name} />
        <FormActions>
          <Button type="submit" look="primary" isBusy={rename.isPending}>
            {texts.ui.save}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

function RemoveDialog(props: { passkey: Passkey; isLast: boolean; onClose: () => void }) {
  const { passkey, isLast, onClose } = props;
  const texts = useTexts().profile;
  const { has_code_app: hasApp } = useSession().person;
  const { showToast } = useToasts();
  const remove = useAction('removePasskey', { invalidates: PASSKEY_QUERIES });
  const finish = () => {
    onClose();
    showToast(texts.passkeyRemoved);
  };
  return (
    <ConfirmDialog
      title={texts.removePasskeyTitle(passkey.name)}
      action={texts.removePasskey}
      state={remove}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { id: passkey.id } }, { onSuccess: finish })}
    >
      <p className="text-table">{texts.removePasskeyNote}</p>
      {isLast && !hasApp && <p className="text-table">{texts.removeLastPasskeyNote}</p>}
    </ConfirmDialog>
  );
}
