import type { Member } from '@zhiber/contract/cabinet/company.ts';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { Time } from '../ui/display/time.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { MemberActions } from './member-actions.tsx';

export function MemberList({ members }: { members: Member[] | undefined }) {
  const texts = useTexts().team;
  return (
    <DataTable
      caption={texts.members}
      columns={useColumns()}
      rows={members}
      rowKey={({ id }) => id}
      // A company always has at least one member.
      empty={null}
    />
  );
}

function useColumns(): Column<Member>[] {
  const texts = useTexts();
  const words = texts.team;
  const canChange = useRight('team.change');
  const columns: Column<Member>[] = [
    { id: 'member', title: words.member, cell: (member) => <Person member={member} /> },
    { id: 'role', title: words.role, cell: ({ role }) => texts.ui.roles[role] },
    {
      id: 'second',
      title: words.secondFactor,
      cell: (member) => <SecondFactor isOn={member.has_second_factor} />,
    },
    {
      id: 'seen',
      title: words.seen,
      cell: ({ seen_at: at }) => (at === null ? texts.ui.never : <Time at={at} as="relative" />),
    },
    {
      id: 'joined',
      title: words.joined,
      cell: ({ joined_at: at }) => <Time at={at} as="date" />,
    },
  ];
  if (!canChange) return columns;
  const actions: Column<Member> = {
    id: 'actions',
    title: words.actions,
    isTitleHidden: true,
    onCard: 'plain',
    cell: (member) => (
      <div className="flex justify-end">
        <MemberActions member={member} />
      </div>
    ),
    className: 'sm:w-12 max-sm:absolute max-sm:top-2 max-sm:right-2',
  };
  return [...columns, actions];
}

function Person({ member }: { member: Member }) {
  const texts = useTexts().team;
  const format = useFormat();
  return (
    <div className="grid min-w-0 max-sm:pe-10">
      <span className="font-medium">
        {member.name} {member.is_me && <Chip tone="calm">{texts.you}</Chip>}
      </span>
      <span className="text-sm font-normal break-all text-muted">
        {format.phone(member.contact)}
      </span>
    </div>
  );
}

function SecondFactor({ isOn }: { isOn: boolean }) {
  const texts = useTexts().team;
  return (
    <Chip tone={isOn ? 'ok' : 'calm'} icon={isOn ? ShieldCheck : ShieldOff}>
      {isOn ? texts.secondFactorOn : texts.secondFactorOff}
    </Chip>
  );
}
