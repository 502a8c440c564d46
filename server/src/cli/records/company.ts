import { isMailAddress } from '@zhiber/contract/mail-address.ts';
import { almatyTime } from '../../almaty.ts';
import {
  findListedCompany,
  type ListedCompany,
  listCompanies,
} from '../../company/company-list-store.ts';
import { createCompany } from '../../company/create-company.ts';
import { createCompanyForInvited } from '../../company/create-company-for-invited.ts';
import { resumeCompany, suspendCompany } from '../../company/suspend-company.ts';
import { listMembers } from '../../company/team-store.ts';
import { localUrl } from '../../config/config.ts';
import type { CompanyId } from '../../ids.ts';
import { letterOf } from '../../mail/letters.ts';
import { createServerMailer } from '../../mail/mailer.ts';
import { type Command, Refusal, UsageError } from '../grammar/command.ts';
import { idOf, requiredName } from '../grammar/values.ts';
import { mustHaveCompany, readStorage, type Tools, withStorage } from '../with-storage.ts';

const COMPANY_NAME_LENGTH_MAX = 200;
const SHOWN_MAX = 500;
/** The audit log records no person for a change from the command line. */
const OPERATOR = {};

export const companyCreate: Command = {
  name: 'company create',
  usage: '--name NAME [--owner-email EMAIL]',
  summary: {
    en: 'Creates a company with its account, and invites its owner',
    ru: 'Создаёт компанию и её счёт, приглашает владельца',
  },
  options: { name: 'text', 'owner-email': 'text' },
  async run({ given, env, texts }) {
    const name = requiredName(given, 'name', COMPANY_NAME_LENGTH_MAX);
    const email = given.text('owner-email')?.trim().toLowerCase();
    if (email === undefined) {
      const { companyId, balance } = await withStorage(env, (tools) => createCompany(tools, name));
      return {
        facts: { company_id: companyId, balance },
        lines: [texts.companyCreated(companyId, balance)],
      };
    }
    if (!isMailAddress(email)) throw new UsageError((say) => say.badEmail(email));
    const made = await withStorage(env, async (tools) => {
      const created = await createCompanyForInvited(tools, OPERATOR, { name, email });
      const { publicUrl, host, port } = tools.config;
      // In the fragment, which browsers do not send, so that the token is in no access log.
      const link = `${publicUrl ?? localUrl(host, port)}/invite#${created.token}`;
      return { ...created, link, isMailed: await mailInvitation(tools, { email, link, name }) };
    });
    const { companyId, balance, link, endsAt, isMailed } = made;
    return {
      facts: {
        company_id: companyId,
        balance,
        invitation: link,
        invitation_until: endsAt.toISOString(),
        mailed: isMailed,
      },
      lines: [
        texts.companyCreated(companyId, balance),
        texts.ownerInvited(email, almatyTime(endsAt)),
        `  ${link}`,
        isMailed ? texts.invitationMailed : texts.invitationNotMailed,
      ],
    };
  },
};

/** False when there is no mail server, or it did not take the letter: then the link is handed over. */
async function mailInvitation(
  { config }: Tools,
  { email, link, name }: { email: string; link: string; name: string },
): Promise<boolean> {
  if (config.mail === undefined) return false;
  let isTaken = true;
  const log = {
    warn: () => {
      isTaken = false;
    },
  };
  const mailer = createServerMailer(config.mail, { log });
  mailer.send(letterOf('invitation', 'ru', { to: email, link, company: name }));
  await mailer.close();
  return isTaken;
}

export const companyList: Command = {
  name: 'company list',
  usage: '',
  summary: {
    en: `Shows the newest ${SHOWN_MAX} companies with their balances`,
    ru: `Показывает компании и балансы, последние ${SHOWN_MAX}`,
  },
  async run({ env, texts }) {
    const companies = await readStorage(env, ({ db }) => listCompanies(db, { rowsMax: SHOWN_MAX }));
    return {
      facts: { companies: companies.map(toFacts) },
      lines: companies.length === 0 ? [texts.noCompanies] : companies.map(texts.companyLine),
    };
  },
};

export const companyShow: Command = {
  name: 'company show',
  usage: 'ID',
  summary: {
    en: 'Shows one company: money, people, keys, sender name',
    ru: 'Показывает компанию: деньги, людей, ключи, имя отправителя',
  },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const companyId = idOf('ID', given.operands[0] as string) as CompanyId;
    const { company, members } = await readStorage(env, async ({ db }) => ({
      company: await findListedCompany(db, companyId),
      members: await listMembers(db, companyId),
    }));
    if (company === undefined) throw new Refusal((say) => say.noCompany(companyId));
    return {
      facts: {
        ...toFacts(company),
        members: members.map(({ name, role, contact }) => ({ name, role, contact })),
      },
      lines: [
        texts.companyLine(company),
        texts.companyDetails({
          businessId: company.business_id,
          created: almatyTime(company.created_at),
          sender: company.sender_name,
          suspended: company.suspended_because,
        }),
        ...members.map(({ name, role, contact }) => texts.memberLine(name, role, contact)),
      ],
    };
  },
};

function toFacts(company: ListedCompany) {
  const { id, created_at, suspended_at, suspended_because, keys, members, ...rest } = company;
  return {
    company_id: id,
    ...rest,
    available: company.balance - company.held,
    active_keys: keys,
    member_count: members,
    created_at: created_at.toISOString(),
    suspended: suspended_at !== null,
    suspended_because,
  };
}

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
