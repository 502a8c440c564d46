import { barHost, readHost } from '../../links/bar-host.ts';
import { listBarredHosts } from '../../links/barred-host-store.ts';
import { type Command, Refusal, UsageError } from '../grammar/command.ts';
import { requiredName } from '../grammar/values.ts';
import { readStorage, withStorage } from '../with-storage.ts';
import { REASON_LENGTH_MAX } from './company.ts';

export const hostBar: Command = {
  name: 'host bar',
  usage: 'HOST --reason TEXT',
  summary: {
    en: 'Closes all short links to a host and its subdomains, within a second',
    ru: 'Закрывает все короткие ссылки на сайт и его поддомены, за секунду',
  },
  options: { reason: 'text' },
  operands: ['HOST'],
  async run({ given, env, texts }) {
    const host = parseHost(given.operands[0] as string);
    const reason = requiredName(given, 'reason', REASON_LENGTH_MAX);
    const isChanged = await withStorage(env, (tools) => barHost(tools, { host, reason }));
    if (!isChanged) throw new Refusal((say) => say.alreadyBarred(host));
    return { facts: { host, barred: true }, lines: [texts.hostBarred(host)] };
  },
};

export const hostUnbar: Command = {
  name: 'host unbar',
  usage: 'HOST',
  summary: { en: 'Allows short links to a host again', ru: 'Снова разрешает ссылки на сайт' },
  operands: ['HOST'],
  async run({ given, env, texts }) {
    const host = parseHost(given.operands[0] as string);
    const isChanged = await withStorage(env, (tools) =>
      barHost(tools, { host, reason: undefined }),
    );
    if (!isChanged) throw new Refusal((say) => say.notBarred(host));
    return { facts: { host, barred: false }, lines: [texts.hostUnbarred(host)] };
  },
};

export const hostList: Command = {
  name: 'host list',
  usage: '',
  summary: { en: 'Shows the barred hosts', ru: 'Показывает запрещённые сайты' },
  async run({ env, texts }) {
    const hosts = await readStorage(env, ({ db }) => listBarredHosts(db));
    return {
      facts: {
        hosts: hosts.map(({ host, reason, barredAt }) => ({ host, reason, barred_at: barredAt })),
      },
      lines:
        hosts.length === 0
          ? [texts.noHosts]
          : hosts.map(({ host, reason, barredAt }) =>
              texts.barredHost(host, reason, barredAt.toISOString()),
            ),
    };
  },
};

function parseHost(text: string): string {
  const host = readHost(text);
  if (host === undefined) throw new UsageError((texts) => texts.badHost(text));
  return host;
}
