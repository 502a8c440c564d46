import { isLoopback } from '../../channels/http/provider-answer.ts';
import { openProviders } from '../../channels/open-providers.ts';
import type { Provider } from '../../channels/provider.ts';
import type { Config } from '../../config/config.ts';
import type { ProviderConfig } from '../../config/read-providers.ts';
import type { NodeState, SeenProvider } from '../../status/node-store.ts';
import { toolsWithoutContacts } from '../channels/provider-tools.ts';
import { type Check, failed, passed, warned } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';

const CHECK_TIMEOUT_MS = 8_000;

/** Asks every configured provider whether it would accept a message, without sending one. */
export async function checkProviders(
  config: Config,
  nodes: readonly NodeState[],
  texts: DoctorTexts,
): Promise<Check[]> {
  const providers = openProviders(config.providers, toolsWithoutContacts(config));
  if (providers.length === 0) return [passed('channels', texts.sandbox)];
  try {
    const checks = await Promise.all(
      providers.map((provider) => checkOne(provider, seenBy(nodes, provider.name), texts)),
    );
    return [...checks.flat(), ...checkCallbacks(config, providers, texts)];
  } finally {
    await Promise.all(providers.map((provider) => provider.stop?.()));
  }
}

type Seen = SeenProvider & { node: string };

function seenBy(nodes: readonly NodeState[], name: string): Seen[] {
  return nodes.flatMap(({ node, providers }) =>
    providers.filter((provider) => provider.name === name).map((seen) => ({ ...seen, node })),
  );
}

/**
 * What the running servers know comes first: a provider that is bound must not be bound a second
 * time, and one that answers a question may still fail to send.
 */
async function checkOne(
  provider: Provider,
  seen: readonly Seen[],
  texts: DoctorTexts,
): Promise<Check[]> {
  const { name } = provider;
  const circuits = seen
    .filter(({ circuit }) => circuit === 'open')
    .map(({ node }) => failed('channels', `${name}: ${texts.circuitOpen(node)}`));
  const states = seen.flatMap(({ node, isUp, detail }) => {
    if (isUp === null) return [];
    return [{ name: 'channels' as const, ok: isUp, detail: `${name}: ${detail} (${node})` }];
  });
  // Who calls back over HTTP is not bound.
  const isBound = provider.start !== undefined && provider.readCallback === undefined;
  if (isBound && states.length > 0) return [...states, ...circuits];
  const check = await provider.check(AbortSignal.timeout(CHECK_TIMEOUT_MS));
  const asked = { ...check, name: 'channels' as const, detail: `${name}: ${check.detail}` };
  return [asked, ...states.filter(({ ok }) => !ok), ...circuits];
}

/** External providers send callbacks only over HTTPS; one on this machine does not need it. */
function checkCallbacks(
  { publicUrl, providers: configs }: Config,
  providers: readonly Provider[],
  texts: DoctorTexts,
): Check[] {
  if (publicUrl?.startsWith('https:') === true) return [];
  const reporting = configs.filter((config) => {
    const { readCallback } = providers.find(({ name }) => name === config.name) ?? {};
    return readCallback !== undefined && !isLoopback(addressOf(config));
  });
  if (reporting.length === 0) return [];
  const names = reporting.map(({ name }) => name).join(', ');
  return [warned('callbacks', texts.noCallbacks(names))];
}

function addressOf(config: ProviderConfig): string {
  return config.kind === 'file'
    ? config.description.send.request.origin
    : (config.values.url ?? '');
}
