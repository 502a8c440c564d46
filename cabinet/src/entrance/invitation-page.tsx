import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { CallError, call } from '../call.ts';
import { useAction } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { EntranceFrame } from './entrance-frame.tsx';
import { useEnter } from './use-enter.ts';

/** Company and role are filled in already; whoever is signed in only has to accept. */
export function InvitationPage() {
  const texts = useTexts();
  const format = useFormat();
  // Behind the #, which no server is sent.
  const { hash: token } = useLocation();
  const invitation = useQuery({
    queryKey: ['readInvitation', token],
    queryFn: () => call('readInvitation', { body: { token } }),
  });
  const { data: read, error } = invitation;
  if (error !== null || read === undefined) {
    return (
      <EntranceFrame title={texts.entrance.invitationTitle}>
        {error === null ? <SkeletonCard /> : <ErrorCard error={error} />}
      </EntranceFrame>
    );
  }
  const { company, role, ends_at: endsAt } = read;
  return (
    <EntranceFrame title={texts.entrance.invitedTo(company)}>
      <p>{texts.entrance.invitedAs(texts.ui.roles[role])}</p>
      <p className="text-muted">{texts.entrance.invitationEnds(format.timeToMinute(endsAt))}</p>
      <Accept token={token} />
    </EntranceFrame>
  );
}

function Accept({ token }: { token: string }) {
  const texts = useTexts().entrance;
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
