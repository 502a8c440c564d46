import { ROLES, type Role } from '@zhiber/contract/cabinet/rights.ts';
import { useCompany } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { RadioGroup } from '../ui/controls/radio-group.tsx';

/** The roles that this person can assign, each with a description. */
export function RoleChoice({ role, onChoose }: { role: Role; onChoose: (role: Role) => void }) {
  const texts = useTexts();
  const isOwner = useCompany().role === 'owner';
  const roles = ROLES.filter((each) => isOwner || each !== 'owner');
  return (
    <RadioGroup
      name="role"
      label={texts.team.role}
      hint={isOwner ? undefined : texts.team.onlyOwners}
      value={role}
      onChoose={onChoose}
      options={roles.map((value) => ({
        value,
        label: texts.ui.roles[value],
        hint: texts.team.roleNotes[value],
      }))}
    />
  );
}
