import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  ORDER_SETTINGS,
  PROVIDER_BLOCKS,
  type ProviderBlock,
  type ProviderName,
} from './provider-settings.ts';
import { Wrong } from './values.ts';

/** A configured provider: its settings by the names that its adapter gives them. */
export type ProviderConfig = {
  provider: ProviderName;
  channel: Channel;
  values: Readonly<Record<string, string>>;
};

type Given = (name: string) => string | undefined;

/** The configured providers, by channel, in the order in which they are tried. */
export function readProviders(given: Given, problems: string[]): ProviderConfig[] {
  const configured = PROVIDER_BLOCKS.filter((block) =>
    block.settings.some(({ name }) => given(name) !== undefined),
  ).map((block) => readBlock(block, given, problems));
  return ORDER_SETTINGS.flatMap(({ name, channel }) => {
    const own = configured.filter((provider) => provider.channel === channel);
    return inOrder(own, { name, text: given(name), problems });
  });
}

function readBlock(block: ProviderBlock, given: Given, problems: string[]): ProviderConfig {
  const { provider, channel, settings } = block;
  for (const { name, isRequired, check } of settings) {
    const text = given(name);
    if (text === undefined && isRequired) {
      problems.push(`${name}: should be set, because ${provider} needs it`);
    }
    const checked = text === undefined ? undefined : check?.(text);
    if (checked instanceof Wrong) problems.push(`${name}: ${checked.because}`);
  }
  if (provider === 'smsc' && given('SMSC_API_KEY') === undefined) {
    for (const name of ['SMSC_LOGIN', 'SMSC_PASSWORD'].filter((one) => given(one) === undefined)) {
      problems.push(`${name}: should be set, because smsc needs it, or SMSC_API_KEY`);
    }
  }
  const values = settings.flatMap(({ name, field, default: fallback }) => {
    const value = given(name) ?? fallback;
    return value === undefined ? [] : [[field, value] as const];
  });
  return { provider, channel, values: Object.fromEntries(values) };
}

function inOrder(
  configured: readonly ProviderConfig[],
  { name, text, problems }: { name: string; text: string | undefined; problems: string[] },
): ProviderConfig[] {
  if (text === undefined) return [...configured];
  return text.split(',').flatMap((item) => {
    const found = configured.find(({ provider }) => provider === item.trim());
    if (found !== undefined) return [found];
    problems.push(`${name}: should name configured providers, and "${item.trim()}" is none`);
    return [];
  });
}
