import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  accountsOf,
  ORDER_SETTINGS,
  PROVIDER_BLOCKS,
  type ProviderAccount,
  type ProviderKind,
} from './provider-settings.ts';
import { type BlockValues, type Given, isConfigured, readBlock } from './read-block.ts';
import {
  type FileProviderConfig,
  type ReadFile,
  readProviderFiles,
} from './read-provider-files.ts';

/** A configured provider. */
export type ProviderConfig = SettingsProviderConfig | FileProviderConfig;

export type SettingsProviderConfig = {
  kind: ProviderKind;
  /** Unique; that of the kind for its first account. */
  name: string;
  channel: Channel;
  /** Its settings by their names in its adapter. */
  values: BlockValues;
};

/** The configured providers, by channel, in the order in which they are tried. */
export function readProviders(
  given: Given,
  problems: string[],
  readFile: ReadFile,
): ProviderConfig[] {
  const configured = [
    ...PROVIDER_BLOCKS.flatMap(accountsOf)
      .filter(({ settings }) => isConfigured(settings, given))
      .map((account) => readProvider(account, given, problems)),
    ...readProviderFiles(given, problems, readFile),
  ];
  return ORDER_SETTINGS.flatMap(({ name, channel }) => {
    const own = configured.filter((provider) => provider.channel === channel);
    return ordered(own, { name, text: given(name), problems });
  });
}

/** The first account of every kind, and all others that are configured. */
export function listMessageProviders({
  providers,
}: {
  providers: readonly ProviderConfig[];
}): Pick<ProviderConfig, 'name' | 'channel'>[] {
  const firsts = PROVIDER_BLOCKS.map(({ kind, channel }) => ({ name: kind, channel }));
  const isFirst = (name: string) => firsts.some((first) => first.name === name);
  return [...firsts, ...providers.filter(({ name }) => !isFirst(name))];
}

function readProvider(
  account: ProviderAccount,
  given: Given,
  problems: string[],
): SettingsProviderConfig {
  const { kind, name, channel } = account;
  const values = readBlock(account, given, problems);
  if (kind === 'smsc' && given('SMSC_API_KEY') === undefined) {
    for (const missing of ['SMSC_LOGIN', 'SMSC_PASSWORD'].filter(
      (one) => given(one) === undefined,
    )) {
      problems.push(`${missing}: should be set, because smsc needs it, or SMSC_API_KEY`);
    }
  }
  return { kind, name, channel, values };
}

function ordered(
  configured: readonly ProviderConfig[],
  { name, text, problems }: { name: string; text: string | undefined; problems: string[] },
): ProviderConfig[] {
  if (text === undefined) return [...configured];
  const names = text.split(',').map((item) => item.trim());
  for (const item of new Set(names.filter((item, index) => names.indexOf(item) !== index))) {
    problems.push(`${name}: should name "${item}" once`);
  }
  return names.flatMap((item) => {
    const found = configured.find((provider) => provider.name === item);
    if (found !== undefined) return [found];
    problems.push(`${name}: should name configured providers, and "${item}" is not configured`);
    return [];
  });
}
