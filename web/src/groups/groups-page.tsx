import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryOf } from '../queries.ts';
import { useRight, useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { EmptyState, NoRight } from '../ui/display/empty-state.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { GroupList } from './group-list.tsx';
import { LinkGroupDialog } from './link-group-dialog.tsx';

export function GroupsPage() {
  const texts = useTexts().groups;
  return useRight('groups.see') ? <Groups /> : <NoRight title={texts.title} />;
}

function Groups() {
  const texts = useTexts().groups;
  const canChange = useRight('groups.change');
  const { data: known, error, refetch } = useQuery(queryOf('groups'));
  // State lives here, not in the button, which is remounted when the first group appears.
  const [isLinking, setLinking] = useState(false);
  const linkButton = canChange && known !== undefined && (
    <LinkButton onPress={() => setLinking(true)} />
  );
  const isEmpty = known?.groups.length === 0;
  return (
    <Page title={texts.title} lead={texts.lead} actions={isEmpty ? undefined : linkButton}>
      {known !== undefined && <LinkingNote canLink={known.by_word.length > 0} />}
      {error === null ? (
        <GroupList
          groups={known?.groups}
          empty={
            <EmptyState kind="first-use" title={texts.none} action={linkButton}>
              {texts.noneNote}
            </EmptyState>
          }
        />
      ) : (
        <ErrorCard error={error} onRetry={refetch} />
      )}
      {isLinking && known !== undefined && (
        <LinkGroupDialog known={known} onClose={() => setLinking(false)} />
      )}
    </Page>
  );
}

function LinkButton({ onPress }: { onPress: () => void }) {
  const texts = useTexts().groups;
  useShortcut('n', texts.link, onPress);
  return (
    <Button look="primary" icon={<Plus aria-hidden="true" size={16} />} onClick={onPress}>
      {texts.link}
    </Button>
  );
}

/** Explains why no group can be linked from within when no messenger is connected for that. */
function LinkingNote({ canLink }: { canLink: boolean }) {
  const texts = useTexts().groups;
  const { is_sandbox: isSandbox } = useSession();
  if (canLink) return null;
  return (
    <p className="rounded-card border border-hairline bg-surface p-4 text-table text-muted">
      {isSandbox ? texts.notConnectedSandbox : texts.notConnected}
    </p>
  );
}
