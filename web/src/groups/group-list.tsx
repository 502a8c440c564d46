import type { Group } from '@zhiber/contract/cabinet/links.ts';
import { Bot, BotOff, CircleQuestionMark, Pencil, Send, Unlink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ChannelLabel } from '../ui/display/channel.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { Code } from '../ui/display/code-block.tsx';
import { Time } from '../ui/display/time.tsx';
import { MenuButton } from '../ui/overlays/menu.tsx';
import { RowMenu } from '../ui/overlays/row-menu.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { RenameDialog, UnlinkDialog } from './group-dialogs.tsx';
import { TestPostDialog } from './test-post-dialog.tsx';

export function GroupList({ groups, empty }: { groups: Group[] | undefined; empty: ReactNode }) {
  const texts = useTexts().groups;
  return (
    <DataTable
      caption={texts.title}
      columns={useColumns()}
      rows={groups}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}

function useColumns(): Column<Group>[] {
  const texts = useTexts();
  const words = texts.groups;
  const canChange = useRight('groups.change');
  const columns: Column<Group>[] = [
    {
      id: 'name',
      title: words.name,
      cell: ({ name }) => <span className="font-medium">{name}</span>,
      className: 'max-sm:pe-12',
    },
    {
      id: 'channel',
      title: words.channel,
      cell: ({ channel }) => <ChannelLabel channel={channel} />,
    },
    { id: 'chat', title: words.chatId, cell: ({ chat_id: chatId }) => <Code>{chatId}</Code> },
    { id: 'bot', title: words.bot, cell: ({ has_bot: hasBot }) => <BotChip hasBot={hasBot} /> },
    {
      id: 'posted',
      title: words.posted,
      cell: ({ posted_at: at }) => (at === null ? texts.ui.never : <Time at={at} as="relative" />),
    },
  ];
  if (!canChange) return columns;
  const actions: Column<Group> = {
    id: 'actions',
    title: words.actions,
    isTitleHidden: true,
    onCard: 'plain',
    cell: (group) => (
      <div className="flex justify-end">
        <GroupActions group={group} />
      </div>
    ),
    className: 'sm:w-12 max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
  };
  return [...columns, actions];
}

function BotChip({ hasBot }: { hasBot: boolean | null }) {
  const texts = useTexts().groups;
  if (hasBot === null) {
    return (
      <Chip tone="calm" icon={CircleQuestionMark}>
        {texts.botUnknown}
      </Chip>
    );
  }
  return (
    <Chip tone={hasBot ? 'ok' : 'bad'} icon={hasBot ? Bot : BotOff}>
      {hasBot ? texts.botIn : texts.botOut}
    </Chip>
  );
}

function GroupActions({ group }: { group: Group }) {
  const texts = useTexts().groups;
  const [open, setOpen] = useState<'test' | 'name' | 'unlink'>();
  const dialog = { group, onClose: () => setOpen(undefined) };
  return (
    <>
      <RowMenu label={texts.actionsFor(group.name)}>
        <MenuButton icon={<Send aria-hidden="true" size={16} />} onClick={() => setOpen('test')}>
          {texts.test}
        </MenuButton>
        <MenuButton icon={<Pencil aria-hidden="true" size={16} />} onClick={() => setOpen('name')}>
          {texts.rename}
        </MenuButton>
        <MenuButton
          icon={<Unlink aria-hidden="true" size={16} />}
          className="text-bad"
          onClick={() => setOpen('unlink')}
        >
          {texts.unlink}
        </MenuButton>
      </RowMenu>
      {open === 'test' && <TestPostDialog {...dialog} />}
      {open === 'name' && <RenameDialog {...dialog} />}
      {open === 'unlink' && <UnlinkDialog {...dialog} />}
    </>
  );
}
