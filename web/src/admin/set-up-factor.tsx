import { useMutation } from '@tanstack/react-query';
import { Fingerprint, Smartphone } from 'lucide-react';
import { canUsePasskeys, makePasskey } from '../passkeys.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { AppCodeField, AppSecret } from '../ui/identity/app-secret.tsx';
import { RecoveryCodes } from '../ui/identity/recovery-codes.tsx';
import { OrLine } from '../ui/identity/sign-in-frame.tsx';
import { callDesk, useAction } from './call.ts';

/** The first second factor of an operator: a passkey or an app. Then the recovery codes, once. */
export function SetUpFactor({ onDone }: { onDone: () => void }) {
  const texts = useAdminTexts().frame;
  const start = useAction('startSecondFactor', { isSecret: true });
  const confirm = useAction('confirmSecondFactor', { isSecret: true });
  const passkey = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const { options } = await callDesk('startPasskey');
      const answer = await makePasskey(options);
      return await callDesk('addPasskey', { body: { name: texts.passkeyName, answer } });
    },
  });
  const codes = (confirm.data ?? passkey.data)?.recovery_codes;
  if (codes !== undefined) {
    return (
      <section className="grid gap-3">
        <h2 className="text-lg">{texts.recoveryTitle}</h2>
        <RecoveryCodes codes={codes} onDone={onDone} />
      </section>
    );
  }
  if (start.data !== undefined) {
    return (
      <Form
        error={confirm.error}
        onSubmit={(values) => confirm.mutate({ body: { code: values.text('code') } })}
      >
        <AppSecret {...start.data} />
        <AppCodeField />
        <FormActions>
          <Button type="submit" look="primary" isBusy={confirm.isPending}>
            {texts.connect}
          </Button>
        </FormActions>
      </Form>
    );
  }
  const error = passkey.error ?? start.error;
  return (
    <>
      {error !== null && <ErrorCard error={error} />}
      {canUsePasskeys && (
        <>
          <Button
            look="primary"
            icon={<Fingerprint aria-hidden="true" size={18} />}
            isBusy={passkey.isPending}
            onClick={() => passkey.mutate()}
          >
            {texts.addPasskey}
          </Button>
          <OrLine />
        </>
      )}
      <Button
        look={canUsePasskeys ? 'plain' : 'primary'}
        icon={<Smartphone aria-hidden="true" size={18} />}
        isBusy={start.isPending}
        onClick={() => start.mutate({})}
      >
        {texts.useApp}
      </Button>
    </>
  );
}
