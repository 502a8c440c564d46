import { isMailAddress } from '@zhiber/contract/mail-address.ts';
import { localUrl } from '../../config/config.ts';
import { createOperator, listOperators, removeOperator } from '../../operators/manage-operators.ts';
import { type Command, type Given, Refusal, UsageError } from '../grammar/command.ts';
import { requiredName, requiredOption } from '../grammar/values.ts';
import { type Tools, withStorage } from '../with-storage.ts';

const NAME_LENGTH_MAX = 200;
/** The audit log records no person for a change from the command line. */
const TERMINAL = {};

export const operatorCreate: Command = {
  name: 'operator create',
  usage: '--email EMAIL --name NAME',
  summary: {
    en: 'Makes somebody an operator of the desk /admin and prints their link, which works once',
    ru: 'Делает человека оператором стола /admin и печатает его ссылку, на один раз',
  },
  options: { email: 'text', name: 'text' },
  async run({ given, env, texts }) {
    const email = emailOf(given);
    const name = requiredName(given, 'name', NAME_LENGTH_MAX);
    return await withStorage(env, async (tools) => {
      const created = await createOperator(tools, TERMINAL, { email, name });
      switch (created.outcome) {
        case 'known':
          throw new Refusal((say) => say.alreadyOperator(email));
        case 'blocked':
          throw new Refusal((say) => say.alreadyBlocked(email));
        case 'signs_in': {
          const link = `${deskUrl(tools)}/login`;
          return { facts: { email, link }, lines: [texts.operatorSignsIn(email), `  ${link}`] };
        }
        case 'welcomed': {
          // In the fragment, which browsers do not send to a server.
          const link = `${deskUrl(tools)}/welcome#${created.token}`;
          const endsAt = created.endsAt.toISOString();
          return {
            facts: { email, link, ends_at: endsAt },
            lines: [texts.operatorWelcomed(email, endsAt), `  ${link}`],
          };
        }
      }
    });
  },
};

function deskUrl({ config }: Tools): string {
  return `${config.publicUrl ?? localUrl(config.host, config.port)}/admin`;
}

export const operatorList: Command = {
  name: 'operator list',
  usage: '',
  summary: { en: 'Shows the operators', ru: 'Показывает операторов' },
  async run({ env, texts }) {
    const operators = (await withStorage(env, listOperators)).filter(
      ({ removedAt }) => removedAt === null,
    );
    return {
      facts: {
        operators: operators.map((operator) => ({
          email: operator.email,
          name: operator.name,
          has_joined: operator.joinedAt !== null,
          has_second_factor: operator.hasSecondFactor,
        })),
      },
      lines:
        operators.length === 0
          ? [texts.noOperators]
          : operators.map(({ email, name, joinedAt, hasSecondFactor }) =>
              texts.operator(email ?? '—', name, { hasJoined: joinedAt !== null, hasSecondFactor }),
            ),
    };
  },
};

export const operatorRemove: Command = {
  name: 'operator remove',
  usage: '--email EMAIL',
  summary: {
    en: 'Ends all sessions of an operator at the desk, who cannot sign in to it any more',
    ru: 'Завершает сеансы оператора в панели и закрывает ему вход туда',
  },
  options: { email: 'text' },
  async run({ given, env, texts }) {
    const email = emailOf(given);
    const isRemoved = await withStorage(env, (tools) => removeOperator(tools, TERMINAL, { email }));
    if (!isRemoved) throw new Refusal((say) => say.noOperator(email));
    return { facts: { email, removed: true }, lines: [texts.operatorRemoved(email)] };
  },
};

function emailOf(given: Given): string {
  const text = requiredOption(given, 'email').trim();
  if (!isMailAddress(text)) throw new UsageError((texts) => texts.badEmail(text));
  return text.toLowerCase();
}
