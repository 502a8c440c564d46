import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer } from '../call.ts';
import { useAction } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { invitationQuery } from './invited-to.tsx';
import { useEnter } from './use-enter.ts';

/** Shows the company and the role; a signed-in person only has to accept. */
export function InvitationPage() {
  const texts = useTexts();
  const format = useFormat();
  const token = useToken();
  // Somebody may have signed in since the invitation was read on the way.
  const accept = useAction('acceptInvitation');
  const { data, error } = useQuery({
    ...invitationQuery(token),
    staleTime: 0,
    // It works once: what is being accepted cannot be read again, also not when the window is
    // looked at again.
    enabled: !accept.isPending && !accept.isSuccess,
  });
  if (error !== null || data === undefined) {
    return (
      <SignInFrame title={texts.signIn.invitationTitle}>
        {error === null ? (
          <SkeletonCard />
        ) : (
          <>
            <ErrorCard error={error} />
            <LinkButton to="/login">{texts.signIn.toSignIn}</LinkButton>
          </>
        )}
      </SignInFrame>
    );
  }
  const { company, role, ends_at: endsAt, signed_in: invited } = data;
  return (
    <SignInFrame title={texts.signIn.invitedTo(company)}>
      <p>{texts.signIn.invitedAs(texts.ui.roles[role])}</p>
      {invited === null ? (
        <SignInFirst token={token} />
      ) : (
        <Accept token={token} invited={invited} accept={accept} />
      )}
      <p className="text-table text-muted">
        {texts.signIn.invitationEnds(format.timeToMinute(endsAt))}
      </p>
    </SignInFrame>
  );
}

/**
 * The token is in the fragment, which browsers do not send to the server. While the next page is
 * loading, this one is still shown, and the location is already the next one.
 */
function useToken(): string {
  const { pathname, hash } = useLocation();
  const [token, setToken] = useState(hash);
  if (pathname === '/invite' && hash !== token) setToken(hash);
  return token;
}

function SignInFirst({ token }: { token: string }) {
  const texts = useTexts().signIn;
  return (
    <LinkButton to="/login" search={{ back: `/invite#${token}` }} look="primary" autoFocus>
      {texts.signInToAccept}
    </LinkButton>
  );
}

type Invited = NonNullable<Answer<'readInvitation'>['signed_in']>;

/** One press; who has not said their name yet is asked for it here. */
function Accept(props: {
  token: string;
  invited: Invited;
  accept: ReturnType<typeof useAction<'acceptInvitation'>>;
}) {
  const { token, invited, accept } = props;
  const client = useQueryClient();
  const texts = useTexts().signIn;
  const enter = useEnter();
  return (
    <Form
      error={accept.error}
      onSubmit={(values) => {
        const name = values.optional('name');
        const body = { token, ...(name !== undefined && { name }) };
        void client.cancelQueries({ queryKey: invitationQuery(token).queryKey });
        accept.mutate({ body }, { onSuccess: () => void enter() });
      }}
    >
      {invited.has_name ? (
        <p className="text-muted">{texts.signedInAs(invited.name)}</p>
      ) : (
        <TextField
          name="name"
          label={texts.yourName}
          hint={texts.yourNameHint}
          autoComplete="name"
          maxLength={200}
          required
          autoFocus
        />
      )}
      <FormActions>
        <Button
          type="submit"
          look="primary"
          className="w-full"
          isBusy={accept.isPending}
          autoFocus={invited.has_name}
        >
          {texts.accept}
        </Button>
      </FormActions>
    </Form>
  );
}
