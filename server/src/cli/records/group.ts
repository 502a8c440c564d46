import { GROUP_CHANNELS } from '@zhiber/contract/api/channel.ts';
import { GROUP_NAME_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { isUniqueViolation } from '../../db/sql-errors.ts';
import { insertGroup, type KnownGroup, listKnownGroups } from '../../groups/group-store.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import type { SeenGroup } from '../grammar/texts.ts';
import { companyIdOf, oneOf, requiredName, requiredOption } from '../grammar/values.ts';
import { mustHaveCompany, readStorage, withStorage } from '../with-storage.ts';

export const groupAdd: Command = {
  name: 'group add',
  usage: '--company ID --channel whatsapp|telegram --name NAME --chat CHAT_ID',
  summary: { en: 'Links a messenger group to a company', ru: 'Привязывает группу мессенджера' },
  options: { company: 'text', channel: 'text', name: 'text', chat: 'text' },
  async run({ given, env, texts }) {
    const group = {
      companyId: companyIdOf(given),
      channel: oneOf('--channel', requiredOption(given, 'channel'), GROUP_CHANNELS),
      name: requiredName(given, 'name', GROUP_NAME_LENGTH_MAX),
      chatId: requiredName(given, 'chat', GROUP_NAME_LENGTH_MAX),
    };
    const id = await withStorage(env, async (tools) => {
      await mustHaveCompany(tools, group.companyId);
      return insertGroup(tools.db, group).catch((error: unknown) =>
        asDuplicateProblem(error, group),
      );
    });
    return { facts: { group_id: id }, lines: [texts.groupAdded(id)] };
  },
};

function asDuplicateProblem(error: unknown, group: { name: string; chatId: string }): never {
  if (isUniqueViolation(error, 'messenger_group_name')) {
    throw new Refusal((texts) => texts.groupNameTaken(group.name));
  }
  if (isUniqueViolation(error, 'messenger_group_company_id_channel_chat_id_key')) {
    throw new Refusal((texts) => texts.groupLinked(group.chatId));
  }
  throw error;
}

export const groupList: Command = {
  name: 'group list',
  usage: '[--company ID]',
  summary: {
    en: 'Shows the groups that the Telegram bot is in, and those linked to companies',
    ru: 'Показывает группы, где есть бот Telegram, и группы, привязанные к компаниям',
  },
  options: { company: 'text' },
  async run({ given, env, texts }) {
    const companyId = given.text('company') === undefined ? undefined : companyIdOf(given);
    const groups = await readStorage(env, async (tools) => {
      if (companyId !== undefined) await mustHaveCompany(tools, companyId);
      return await listKnownGroups(tools.db, companyId);
    });
    return {
      facts: { groups },
      lines:
        groups.length === 0
          ? [texts.noGroups]
          : groups.map((group) => texts.knownGroup(toSeen(group))),
    };
  },
};

function toSeen({ channel, chat_id, title, has_bot, company_id, ...link }: KnownGroup): SeenGroup {
  const { group_id: id, name } = link;
  const isLinked = company_id !== null && id !== null && name !== null;
  return {
    channel,
    chatId: chat_id,
    // Anybody can add the bot to a group whose title contains terminal control sequences.
    title: title?.replaceAll(/\p{C}+/gu, ' ') ?? '—',
    isLeft: has_bot === false,
    link: isLinked ? { companyId: company_id, id, name } : undefined,
  };
}
