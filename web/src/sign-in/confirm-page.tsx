import { useSearch } from '@tanstack/react-router';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { BadLink } from './password-pages.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useEnter } from './use-enter.ts';

/**
 * Opened from a letter. A button press is required: mail scanners open every link, and must not use
 * up the one-time token.
 */
export function ConfirmPage() {
  const texts = useTexts().signIn;
  const { token } = useSearch({ strict: false }) as { token?: string };
  const enter = useEnter();
  const confirm = useAction('confirmEmail');
  if (token === undefined) return <BadLink title={texts.confirmTitle} />;
  return (
    <SignInFrame title={texts.confirmTitle} lead={texts.confirmLead}>
      <Form
        error={confirm.error}
        onSubmit={() => confirm.mutate({ body: { token } }, { onSuccess: () => void enter() })}
      >
        <FormActions>
          <Button type="submit" look="primary" isBusy={confirm.isPending}>
            {texts.confirm}
          </Button>
        </FormActions>
      </Form>
    </SignInFrame>
  );
}
