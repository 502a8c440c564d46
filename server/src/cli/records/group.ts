import { GROUP_CHANNELS } from '@zhiber/contract/api/channel.ts';
import { GROUP_NAME_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { isUniqueViolation } from '../../db/sql-errors.ts';
import { insertGroup } from '../../group/group-store.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { companyIdOf, oneOf, requiredName, requiredOption } from '../grammar/values.ts';
import { mustHaveCompany, withStorage } from '../with-storage.ts';

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
      return insertGroup(tools.db, group).catch((error: unknown) => refuseTwice(error, group));
    });
    return { facts: { group_id: id }, lines: [texts.groupAdded(id)] };
  },
};

function refuseTwice(error: unknown, group: { name: string; chatId: string }): never {
  if (isUniqueViolation(error, 'messenger_group_name')) {
    throw new Refusal((texts) => texts.groupNameTaken(group.name));
  }
  if (isUniqueViolation(error, 'messenger_group_company_id_channel_chat_id_key')) {
    throw new Refusal((texts) => texts.groupLinked(group.chatId));
  }
  throw error;
}
