import { createCompany } from '../../company/create-company.ts';
import type { Command } from '../grammar/command.ts';
import { requiredName } from '../grammar/values.ts';
import { withStorage } from '../with-storage.ts';

const COMPANY_NAME_LENGTH_MAX = 200;

export const companyCreate: Command = {
  name: 'company create',
  usage: '--name NAME',
  summary: { en: 'Creates a company with its account', ru: 'Создаёт компанию и её счёт' },
  options: { name: 'text' },
  async run({ given, env, texts }) {
    const name = requiredName(given, 'name', COMPANY_NAME_LENGTH_MAX);
    const { companyId, balance } = await withStorage(env, (tools) => createCompany(tools, name));
    return {
      facts: { company_id: companyId, balance },
      lines: [texts.companyCreated(companyId, balance)],
    };
  },
};
