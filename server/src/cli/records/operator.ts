import { isMailAddress } from '@zhiber/contract/mail-address.ts';
import { almatyTime } from '../../almaty.ts';
import { localUrl } from '../../config/config.ts';
import {
  createOperator,
  listOperators,
  removeOperator,
  resetOperator,
} from '../../operators/manage-operators.ts';
import { type Command, type Given, Refusal, UsageError } from '../grammar/command.ts';
import { optionalName, requiredOption } from '../grammar/values.ts';
import { readStorage, type Tools, withStorage } from '../with-storage.ts';

const NAME_LENGTH_MAX = 200;
/** The audit log records no person for a change from the command line. */
const TERMINAL = {};

export const operatorCreate: Command = {
  name: 'operator create',
  usage: '--email EMAIL [--name NAME]',
  summary: {
    en: 'Creates an operator of the panel /admin and prints a one-time link',
    ru: 'Делает человека оператором стола /admin и печатает его ссылку, на один раз',
  },
  options: { email: 'text', name: 'text' },
  async run({ given, env, texts }) {
    const email = emailOf(given);
    const name = optionalName(given, 'name', NAME_LENGTH_MAX) ?? (email.split('@')[0] as string);
    return await withStorage(env, async (tools) => {
      const created = await createOperator(tools, TERMINAL, { email, name });
      switch (created.outcome) {
        case 'known':
          throw new Refusal((say) => say.alreadyOperator(email));
        case 'blocked':
          throw new Refusal((say) => say.operatorBlocked(email));
        case 'signs_in': {
          const link = `${deskUrl(tools)}/login`;
          return { facts: { email, link }, lines: [texts.operatorSignsIn(email), `  ${link}`] };
        }
        case 'welcomed': {
          const link = welcomeUrl(tools, created.token);
          return {
            facts: { email, link, ends_at: created.endsAt.toISOString() },
            lines: [texts.operatorWelcomed(email, almatyTime(created.endsAt)), `  ${link}`],
          };
        }
      }
    });
  },
};

function deskUrl({ config }: Tools): string {
  return `${config.publicUrl ?? localUrl(config.host, config.port)}/admin`;
}

/** The token is in the fragment, which browsers do not send to a server. */
function welcomeUrl(tools: Tools, token: string): string {
  return `${deskUrl(tools)}/welcome#${token}`;
}

export const operatorReset: Command = {
  name: 'operator reset',
  usage: '--email EMAIL',
  summary: {
    en: 'For an operator who lost the second factor: removes what they sign in with, prints a new link',
    ru: 'Для оператора, потерявшего второй фактор: удаляет всё для входа и печатает новую ссылку',
  },
  options: { email: 'text' },
  async run({ given, env, texts }) {
    const email = emailOf(given);
    return await withStorage(env, async (tools) => {
      const reset = await resetOperator(tools, TERMINAL, { email });
      if (reset.outcome === 'unknown') throw new Refusal((say) => say.noOperator(email));
      if (reset.outcome === 'blocked') throw new Refusal((say) => say.operatorBlocked(email));
      const link = welcomeUrl(tools, reset.token);
      return {
        facts: { email, link, ends_at: reset.endsAt.toISOString() },
        lines: [texts.operatorReset(email, almatyTime(reset.endsAt)), `  ${link}`],
      };
    });
  },
};

export const operatorList: Command = {
  name: 'operator list',
  usage: '',
  summary: { en: 'Shows the operators', ru: 'Показывает операторов' },
  async run({ env, texts }) {
    const operators = (await readStorage(env, listOperators)).filter(
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
    en: 'Removes an operator: ends all their sessions in the operator panel',
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
