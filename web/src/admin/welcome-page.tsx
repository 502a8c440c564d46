import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { CallError } from '../call-error.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { callDesk } from './call.ts';
import { SecondStep } from './second-step.tsx';
import { SetUpFactor } from './set-up-factor.tsx';
import { useEnterDesk } from './use-enter-desk.ts';

/** Opened from the link of `zhiber operator create`: a password, then the second factor. */
export function WelcomePage() {
  const texts = useAdminTexts().frame;
  const { signIn } = useTexts();
  const format = useFormat();
  const enter = useEnterDesk();
  // The token is in the fragment, which browsers do not send to the server.
  const { hash: token } = useLocation();
  const join = useMutation({
    mutationFn: async (password: string) => {
      await callDesk('welcome', { body: { token, password } });
      return await hasFactor();
    },
  });
  const link = useQuery({
    queryKey: ['admin', 'readWelcome', token],
    queryFn: () => callDesk('readWelcome', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    // It has ended once it was used.
    enabled: join.data === undefined,
  });
  if (join.data !== undefined) {
    return (
      <SignInFrame desk={texts.desk} title={texts.setUpTitle} lead={texts.setUpLead}>
        {join.data ? <SecondStep onDone={enter} /> : <SetUpFactor onDone={enter} />}
      </SignInFrame>
    );
  }
  if (link.error instanceof CallError && link.error.code === 'link_ended') {
    return (
      <SignInFrame desk={texts.desk} title={texts.linkEndedTitle}>
        <p>{texts.linkEnded}</p>
        <div>
          <LinkButton to="/admin/login">{texts.toLogin}</LinkButton>
        </div>
      </SignInFrame>
    );
  }
  if (link.data === undefined) {
    return (
      <SignInFrame desk={texts.desk} title={texts.desk}>
        {link.error === null ? <SkeletonCard /> : <ErrorCard error={link.error} />}
      </SignInFrame>
    );
  }
  const { name, email, ends_at: endsAt } = link.data;
  return (
    <SignInFrame desk={texts.desk} title={texts.welcomeTitle(name)} lead={texts.welcomeLead(email)}>
      <Form error={join.error} onSubmit={(values) => join.mutate(values.secret('password'))}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField label={signIn.newPassword} isNew />
        <p className="text-sm text-muted">{texts.welcomeEnds(format.timeToMinute(endsAt))}</p>
        <FormActions>
          <Button type="submit" look="primary" isBusy={join.isPending}>
            {texts.welcomeNext}
          </Button>
        </FormActions>
      </Form>
    </SignInFrame>
  );
}

/** Somebody who had an account may have a second factor already. */
async function hasFactor(): Promise<boolean> {
  try {
    await callDesk('secondFactors');
    return true;
  } catch (error) {
    if (error instanceof CallError && error.code === 'not_signed_in') return false;
    throw error;
  }
}
