import { disableLinkPermanently } from '../../links/link-store.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { companyIdOf } from '../grammar/values.ts';
import { mustHaveCompany, withStorage } from '../with-storage.ts';

export const linkDisable: Command = {
  name: 'link disable',
  usage: '--company ID SLUG',
  summary: { en: 'Disables a short link permanently', ru: 'Отключает короткую ссылку навсегда' },
  options: { company: 'text' },
  operands: ['SLUG'],
  async run({ given, env, texts }) {
    const companyId = companyIdOf(given);
    const slug = given.operands[0] as string;
    const isDisabled = await withStorage(env, async (tools) => {
      await mustHaveCompany(tools, companyId);
      return disableLinkPermanently(tools.db, companyId, slug);
    });
    if (!isDisabled) throw new Refusal((say) => say.noLink(companyId, slug));
    return { facts: { slug, disabled: true }, lines: [texts.linkDisabled(slug)] };
  },
};
