/**
 * Broadcasts: the highest rate without a limit, the share of a configured rate that is reached, the
 * memory over 100,000 recipients, and what a broadcast does to the codes that are sent beside it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../server/src/ids.ts';
import { type Block, measure, median } from './measure.ts';
import {
  type LoadClient,
  residentMegabytes,
  type SlowProvider,
  startProvider,
} from './processes.ts';
import { type Client, createClients, type Service, startService } from './service.ts';

const SECRET = 'whsec_bWVhc3VyZW1lbnRzLWFsb25lLW1lYXN1cmVtZW50cw==';
const RECIPIENTS = 100_000;
/** Of the unlimited run; it only has to last long enough. */
const RECIPIENTS_UNLIMITED = 30_000;
/** What the provider allows per second, in the run that is compared with it. */
const RATE = 500;
const ANSWER_MS = 20;
const SAMPLE_MS = 1_000;
/** Codes per second beside the broadcast. */
const CODES_PER_SECOND = 100;
const CODE_CONNECTIONS = 32;
/** The first codes are checked half a minute after they were sent: that has happened by then. */
const WARM_UP_SECONDS = 35;
const RATE_SHARE_MIN = 0.98;
const P99_RATIO_MAX = 1.3;
const MEMORY_RATIO_MAX = 1.15;

type Options = { rounds: number; seconds: number; say(line: string): void };

export async function measureBroadcasts(client: LoadClient, options: Options): Promise<string> {
  const provider = await startProvider(SECRET);
  await provider.setDelay(ANSWER_MS);
  const unlimited = await withService(provider, undefined, (service, sender) =>
    runToEnd(service, sender, RECIPIENTS_UNLIMITED, options),
  );
  const { limited, own, others } = await withService(provider, RATE, async (service, sender) => {
    const [other] = (await createClients(service.db, 1)) as [Client];
    return {
      own: await compareCodes(client, service, { sender, caller: sender }, options),
      others: await compareCodes(client, service, { sender, caller: other }, options),
      limited: await runToEnd(service, sender, RECIPIENTS, options),
    };
  });
  const share = limited.perSecond / RATE;
  return [
    `without a limit: ${Math.round(unlimited.perSecond)} messages/s`,
    `at ${RATE}/s, ${RECIPIENTS.toLocaleString('en')} recipients: ${limited.perSecond.toFixed(1)}/s, ` +
      `share ${share.toFixed(3)}${share < RATE_SHARE_MIN ? `  MISSED ${RATE_SHARE_MIN}` : ''}`,
    `memory: ${limited.early.toFixed(0)} MB in its first third, ${limited.late.toFixed(0)} MB in its last, ratio ` +
      `${(limited.late / limited.early).toFixed(2)}` +
      (limited.late / limited.early > MEMORY_RATIO_MAX ? `  MISSED ${MEMORY_RATIO_MAX}` : ''),
    `codes of another company ${describeCodes(others)}`,
    `codes of the same company ${describeCodes(own)}`,
  ].join('\n');
}

type Compared = { alone: number; beside: number; ratio: number };

function describeCodes({ alone, beside, ratio }: Compared): string {
  return (
    `at ${CODES_PER_SECOND}/s: p99 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside the broadcast, ` +
    `ratio ${ratio.toFixed(2)}${ratio > P99_RATIO_MAX ? `  MISSED ${P99_RATIO_MAX}` : ''}`
  );
}

async function withService<T>(
  provider: SlowProvider,
  rate: number | undefined,
  work: (service: Service, sender: Client) => Promise<T>,
): Promise<T> {
  const service = await startService({
    isWalFilled: true,
    settings: {
      HTTP_SMS_URL: `http://127.0.0.1:${provider.port}/messages`,
      HTTP_SMS_SECRET: SECRET,
      ...(rate !== undefined && { HTTP_SMS_RATE: String(rate) }),
    },
  });
  try {
    const [sender] = (await createClients(service.db, 1)) as [Client];
    return await work(service, sender);
  } finally {
    await service.stop();
  }
}

/** A checked draft that was confirmed: it begins with the next tick, at any hour. */
async function startBroadcast(service: Service, sender: Client, recipients: number) {
  const id = newId(Date.now());
  await service.db.query(
    `insert into broadcast (id, company_id, name, columns, phone_column, rows_state, rows_count, text, channels,
       quiet_from, quiet_to, skips_days_off, consent_basis, recipients)
     values ($1, $2, 'Замер', '{Телефон,Имя}', 1, 'checked', $3, 'Здравствуйте, {{Имя|клиент}}! Скидка до пятницы',
       '{sms}', 0, 0, false, 'form', $3)`,
    [id, sender.companyId, recipients],
  );
  await service.db.query(
    `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
     select $1, n, $2, array['+' || (77050000000 + n), 'Айгуль'], 77050000000 + n, 'send'
     from generate_series(1, $3::integer) as n`,
    [id, sender.companyId, recipients],
  );
  await service.db.query(
    `update broadcast set state = 'scheduled', next_tick_at = clock_timestamp() where id = $1`,
    [id],
  );
  return id;
}

type State = { state: string; seconds: number | null };

async function readState(service: Service, id: string): Promise<State> {
  const rows = await service.db.query<State>(
    `select state, extract(epoch from
       (select max(m.created_at) from message m where m.company_id = b.company_id and m.request_id = b.id::text)
       - started_at)::double precision as seconds
     from broadcast b where id = $1`,
    [id],
  );
  return rows[0] as State;
}

async function runToEnd(service: Service, sender: Client, recipients: number, { say }: Options) {
  const id = await startBroadcast(service, sender, recipients);
  const megabytes: number[] = [];
  for (;;) {
    await pause(SAMPLE_MS);
    megabytes.push(residentMegabytes(service.pid));
    const [row] = await service.db.query<{ state: string }>(
      'select state from broadcast where id = $1',
      [id],
    );
    if (row?.state === 'done') break;
    if (row?.state === 'paused') throw new Error('the broadcast has paused');
  }
  const { seconds } = await readState(service, id);
  const third = Math.ceil(megabytes.length / 3);
  const perSecond = recipients / (seconds ?? Number.NaN);
  say(`  ${recipients} recipients: ${Math.round(perSecond)}/s`);
  return {
    perSecond,
    early: median(megabytes.slice(0, third)),
    late: median(megabytes.slice(-third)),
  };
}

/** Codes in turn with and without a broadcast beside them. */
async function compareCodes(
  client: LoadClient,
  service: Service,
  { sender, caller }: { sender: Client; caller: Client },
  { rounds, seconds, say }: Options,
): Promise<Compared> {
  const id = await startBroadcast(service, sender, RECIPIENTS);
  const block: Block = {
    name: 'codes',
    kind: 'send',
    channel: 'sms',
    port: service.port,
    connections: CODE_CONNECTIONS,
    ratePerSecond: CODES_PER_SECOND,
    keys: [caller.key],
    numbers: { next: caller === sender ? 1 : 5_000_000 },
  };
  const setState = (state: 'paused' | 'running') =>
    service.db.query(
      `update broadcast set state = $2::broadcast_state, pause_reason = case when $2 = 'paused' then 'person'::pause_reason end
       where id = $1`,
      [id, state],
    );
  const alone: number[] = [];
  const beside: number[] = [];
  await pause(2 * SAMPLE_MS);
  await measure(client, service, block, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    for (const isBeside of round % 2 === 0 ? [true, false] : [false, true]) {
      await setState(isBeside ? 'running' : 'paused');
      await pause(SAMPLE_MS);
      const { p99 } = await measure(client, service, block, seconds);
      (isBeside ? beside : alone).push(p99);
      say(`  codes ${isBeside ? 'beside a broadcast' : 'alone'}: p99 ${p99.toFixed(1)} ms`);
    }
  }
  await setState('paused');
  const ratios = beside.map((p99, i) => p99 / (alone[i] as number));
  return { alone: median(alone), beside: median(beside), ratio: median(ratios) };
}
