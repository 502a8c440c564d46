import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  ORDER_SETTINGS,
  PROVIDER_BLOCKS,
  type ProviderBlock,
  type ProviderName,
} from './provider-settings.ts';
import { type BlockValues, type Given, isConfigured, readBlock } from './read-block.ts';

/** A configured provider: its settings by their names in its adapter. */
export type ProviderConfig = {
  provider: ProviderName;
  channel: Channel;
  values: BlockValues;
};

/** The configured providers, by channel, in the order in which they are tried. */
export function readProviders(given: Given, problems: string[]): ProviderConfig[] {
  const configured = PROVIDER_BLOCKS.filter(({ settings }) => isConfigured(settings, given)).map(
    (block) => readProvider(block, given, problems),
  );
  return ORDER_SETTINGS.flatMap(({ name, channel }) => {
    const own = configured.filter((provider) => provider.channel === channel);
    return ordered(own, { name, text: given(name), problems });
  });
}

function readProvider(block: ProviderBlock, given: Given, problems: string[]): ProviderConfig {
  const { provider, channel, settings } = block;
  const values = readBlock({ name: provider, settings }, given, problems);
  if (provider === 'smsc' && given('SMSC_API_KEY') === undefined) {
    for (const name of ['SMSC_LOGIN', 'SMSC_PASSWORD'].filter((one) => given(one) === undefined)) {
      problems.push(`${name}: should be set, because smsc needs it, or SMSC_API_KEY`);
    }
  }
  return { provider, channel, values };
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
    const found = configured.find(({ provider }) => provider === item);
    if (found !== undefined) return [found];
    problems.push(`${name}: should name configured providers, and "${item}" is not configured`);
    return [];
  });
}
