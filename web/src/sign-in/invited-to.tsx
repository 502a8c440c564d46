import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { call } from '../call.ts';
import { useTexts } from '../texts/use-texts.tsx';

/** What the token of an invitation offers, and who is signed in to accept it. */
export function invitationQuery(token: string) {
  return {
    queryKey: ['readInvitation', token],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call('readInvitation', { body: { token }, signal }),
  };
}

/** On the way from an invitation through the sign-in and back: whose invitation it is. */
export function InvitedTo() {
  const texts = useTexts().signIn;
  const { back } = useSearch({ strict: false }) as { back?: string };
  const token = /^\/invite#(.+)$/.exec(back ?? '')?.[1];
  const { data } = useQuery({ ...invitationQuery(token ?? ''), enabled: token !== undefined });
  if (data === undefined) return null;
  return (
    <p className="flex gap-2 rounded-control bg-info-tint px-3 py-2 text-table text-info">
      <UserPlus aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{texts.invitedTo(data.company)}</span>
    </p>
  );
}
