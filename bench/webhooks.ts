import { type Block, type Measured, measure, median } from './measure.ts';
import type { LoadClient } from './processes.ts';
import { addEndpoint, type Client, createClients, prepareCodes, type Service } from './service.ts';

const CODES_FROM = 5_000_000;
/** More than can be verified in the time of a round. */
const CODES_PER_SECOND = 8_000;

/**
 * What an endpoint of webhooks costs a send and a verification: two companies of one service, one
 * with an endpoint for every event, measured in turn. The service delivers nothing (`ROLE=api`): what
 * is compared is the price of writing the events down.
 */
export async function measureWebhooks(
  load: LoadClient,
  service: Service,
  options: { rounds: number; seconds: number; say(line: string): void },
): Promise<string> {
  const [without, subscribed] = (await createClients(service.db, 2)) as [Client, Client];
  await addEndpoint(service.db, subscribed.companyId);
  const numbers = { next: 1 };
  const common = { port: service.port, connections: 64 };
  const codes = CODES_PER_SECOND * options.seconds * (options.rounds + 1);
  const blocksOf = async (client: Client, name: string, from: number): Promise<Block[]> => {
    await prepareCodes(service, client, from, codes);
    const keys = [client.key];
    return [
      { ...common, name: `send, ${name}`, kind: 'send', keys, numbers },
      { ...common, name: `verify, ${name}`, kind: 'verify', keys, numbers: { next: from } },
    ];
  };
  const pairs = [
    await blocksOf(without, 'no endpoint', CODES_FROM),
    await blocksOf(subscribed, 'an endpoint', CODES_FROM + codes),
  ];
  const blocks = pairs.flat();
  const rounds = new Map<string, Measured[]>(blocks.map(({ name }) => [name, []]));
  for (let round = 0; round <= options.rounds; round++) {
    options.say(round === 0 ? 'warming up' : `round ${round} of ${options.rounds}`);
    for (const block of round % 2 === 0 ? blocks : blocks.toReversed()) {
      await service.settleDown();
      const result = await measure(load, service, block, options.seconds);
      if (round > 0) rounds.get(block.name)?.push(result);
      options.say(`  ${block.name}: ${Math.round(result.perSecond)}/s`);
    }
  }
  return ['send', 'verify'].map((call) => describeRatios(call, rounds)).join('\n');
}

function describeRatios(call: string, rounds: ReadonlyMap<string, readonly Measured[]>): string {
  const before = rounds.get(`${call}, no endpoint`) ?? [];
  const after = rounds.get(`${call}, an endpoint`) ?? [];
  const speeds = after.map((one, i) => one.perSecond / (before[i]?.perSecond ?? Number.NaN));
  const micros = (measured: readonly Measured[]) =>
    median(measured.map(({ serverMicros, databaseMicros }) => serverMicros + databaseMicros));
  return (
    `${call} with an endpoint: ${median(speeds).toFixed(3)} of the calls per second ` +
    `(${Math.min(...speeds).toFixed(2)}-${Math.max(...speeds).toFixed(2)}), ` +
    `${(micros(after) / micros(before)).toFixed(3)} of the processor time`
  );
}
