import { createCompany } from '../../company/create-company.ts';
import { resumeCompany, suspendCompany } from '../../company/suspend-company.ts';
import type { CompanyId } from '../../ids.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { idOf, requiredName } from '../grammar/values.ts';
import { mustHaveCompany, withStorage } from '../with-storage.ts';

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

/** It is shown in the cabinet and in the audit log. */
export const REASON_LENGTH_MAX = 500;

export const companySuspend: Command = {
  name: 'company suspend',
  usage: 'ID --reason TEXT',
  summary: {
    en: 'Stops a company within a second: its keys are refused, its links closed',
    ru: 'Останавливает компанию за секунду: ключи не работают, ссылки закрыты',
  },
  options: { reason: 'text' },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const companyId = idOf('ID', given.operands[0] as string) as CompanyId;
    const reason = requiredName(given, 'reason', REASON_LENGTH_MAX);
    const isChanged = await withStorage(env, async (tools) => {
      await mustHaveCompany(tools, companyId);
      return await suspendCompany(tools, { companyId, reason });
    });
    if (!isChanged) throw new Refusal((say) => say.alreadySuspended(companyId));
    const facts = { company_id: companyId, suspended: true };
    return { facts, lines: [texts.companySuspended(companyId)] };
  },
};

export const companyResume: Command = {
  name: 'company resume',
  usage: 'ID',
  summary: {
    en: 'Lets a suspended company work again',
    ru: 'Возвращает приостановленную компанию к работе',
  },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const companyId = idOf('ID', given.operands[0] as string) as CompanyId;
    const isChanged = await withStorage(env, async (tools) => {
      await mustHaveCompany(tools, companyId);
      return await resumeCompany(tools, companyId);
    });
    if (!isChanged) throw new Refusal((say) => say.notSuspended(companyId));
    const facts = { company_id: companyId, suspended: false };
    return { facts, lines: [texts.companyResumed(companyId)] };
  },
};
