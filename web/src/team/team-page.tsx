import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { queryOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberList } from './member-list.tsx';
import { RightsTable } from './rights-table.tsx';

/** While somebody is expected, they are seen as soon as they have joined. */
const REFRESH_MS = 2_000;
const hasOpen = (invitations: readonly unknown[] = []) => invitations.length > 0;

export function TeamPage() {
  const texts = useTexts().team;
  const canChange = useRight('team.change');
  const {
    data: team,
    error,
    refetch,
  } = useQuery({
    ...queryOf('team'),
    refetchInterval: ({ state }) => hasOpen(state.data?.invitations) && REFRESH_MS,
  });
  return (
    <Page title={texts.title} lead={texts.lead} actions={canChange && <InviteButton />}>
      {error === null ? (
        <MemberList members={team?.members} />
      ) : (
        <ErrorCard error={error} onRetry={refetch} />
      )}
      {team !== undefined && team.invitations.length > 0 && (
        <InvitationList invitations={team.invitations} />
      )}
      <RightsTable />
    </Page>
  );
}

function InviteButton() {
  const texts = useTexts().team;
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useShortcut('n', texts.inviteTitle, open);
  return (
    <>
      <Button look="primary" icon={<UserPlus aria-hidden="true" size={16} />} onClick={open}>
        {texts.invite}
      </Button>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  );
}
