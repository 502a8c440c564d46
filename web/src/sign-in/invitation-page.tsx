import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { call } from '../call.ts';
import { CallError } from '../call-error.ts';
import { useAction } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { useEnter } from './use-enter.ts';

/** Shows the company and the role; a signed-in person only has to accept. */
export function InvitationPage() {
  const texts = useTexts();
  const format = useFormat();
  // The token is in the fragment, which browsers do not send to the server.
  const { hash: token } = useLocation();
  const invitation = useQuery({
    queryKey: ['readInvitation', token],
    queryFn: () => call('readInvitation', { body: { token } }),
  });
  const { data, error } = invitation;
  if (error !== null || data === undefined) {
    return (
      <SignInFrame title={texts.signIn.invitationTitle}>
        {error === null ? <SkeletonCard /> : <ErrorCard error={error} />}
      </SignInFrame>
    );
  }
  const { company, role, ends_at: endsAt } = data;
  return (
    <SignInFrame title={texts.signIn.invitedTo(company)}>
      <p>{texts.signIn.invitedAs(texts.ui.roles[role])}</p>
      <p className="text-muted">{texts.signIn.invitationEnds(format.timeToMinute(endsAt))}</p>
      <Accept token={token} />
    </SignInFrame>
  );
}

function Accept({ token }: { token: string }) {
  const texts = useTexts().signIn;
  const enter = useEnter();
  const accept = useAction('acceptInvitation');
  const isSignedOut = accept.error instanceof CallError && accept.error.code === 'not_signed_in';
  if (isSignedOut) {
    return (
      <div>
        <LinkButton to="/login" search={{ back: `/invite#${token}` }} look="primary">
          {texts.signInToAccept}
        </LinkButton>
      </div>
    );
  }
  return (
    <Form
      error={accept.error}
      onSubmit={() => accept.mutate({ body: { token } }, { onSuccess: () => void enter() })}
    >
      <FormActions>
        <Button type="submit" look="primary" isBusy={accept.isPending}>
          {texts.accept}
        </Button>
      </FormActions>
    </Form>
  );
}
