import type { Member } from '@zhiber/contract/cabinet/company.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import { UserCog, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../queries.ts';
import { clearCache, useCompany } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { MenuButton } from '../ui/overlays/menu.tsx';
import { RowMenu } from '../ui/overlays/row-menu.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { RoleChoice } from './role-choice.tsx';

type MemberDialogProps = { member: Member; onClose: () => void };

/** Hides actions that the server would refuse: only owners can change owners. */
export function MemberActions({ member }: { member: Member }) {
  const texts = useTexts().team;
  const { role } = useCompany();
  const [open, setOpen] = useState<'role' | 'removal'>();
  const close = () => setOpen(undefined);
  if (member.role === 'owner' && role !== 'owner') return null;
  return (
    <>
      <RowMenu label={texts.actionsFor(member.name)}>
        <MenuButton icon={<UserCog aria-hidden="true" size={16} />} onClick={() => setOpen('role')}>
          {texts.changeRole}
        </MenuButton>
        <MenuButton
          icon={<UserMinus aria-hidden="true" size={16} />}
          className="text-bad"
          onClick={() => setOpen('removal')}
        >
          {member.is_me ? texts.leave : texts.remove}
        </MenuButton>
      </RowMenu>
      {open === 'role' && <RoleDialog member={member} onClose={close} />}
      {open === 'removal' && <RemovalDialog member={member} onClose={close} />}
    </>
  );
}

function RoleDialog({ member, onClose }: MemberDialogProps) {
  const texts = useTexts();
  const { showToast } = useToasts();
  const change = useAction('changeRole', { invalidates: ['team', 'session'] });
  const [role, setRole] = useState<Role>(member.role);
  const save = () =>
    change.mutate(
      { params: { id: member.id }, body: { role } },
      {
        onSuccess: () => {
          onClose();
          showToast(texts.team.roleChanged(member.name, texts.ui.roles[role]));
        },
      },
    );
  return (
    <ActDialog
      title={texts.team.changeRoleOf(member.name)}
      action={texts.team.changeRole}
      isDisabled={role === member.role}
      state={change}
      onSubmit={save}
      onClose={onClose}
    >
      <RoleChoice role={role} onChoose={setRole} />
    </ActDialog>
  );
}

function RemovalDialog({ member, onClose }: MemberDialogProps) {
  const texts = useTexts().team;
  const { showToast } = useToasts();
  const remove = useAction('removeMember', { invalidates: member.is_me ? [] : ['team'] });
  const finish = async () => {
    if (member.is_me) return await leaveCompany();
    onClose();
    showToast(texts.removed(member.name));
  };
  return (
    <ConfirmDialog
      title={member.is_me ? texts.leaveTitle : texts.removeTitle(member.name)}
      action={member.is_me ? texts.leave : texts.remove}
      state={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({ params: { id: member.id } }, { onSuccess: () => void finish() })
      }
    >
      <p className="text-table">{member.is_me ? texts.leaveNote : texts.removeNote}</p>
    </ConfirmDialog>
  );
}

/** The person has lost access to everything on the page, so the app reloads. */
async function leaveCompany(): Promise<void> {
  await clearCache();
  location.assign('/app');
}
