/**
 * A thousand people ask for a code by SMS, from many companies and over one bind, whose connection
 * the message centre drops three times. What the service says of each message is compared with what
 * the centre wrote down, and with the money.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import type { TakenMessage } from '../../../simulators/frame/journal.ts';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { newPhone } from '../outages/load.ts';
import { sayAtEnd } from '../say-at-end.ts';
import { type FaultService, openService, type Row, type Sent, until } from './fault-service.ts';

const PEOPLE = 1_000;
const COMPANIES = 20;
const AT_ONCE = 40;
const WINDOW = 10;
/** So long that the window is full whenever the connection is dropped. */
const RESPONSE_MS = 8;
/** By the number of the person whose message it happens at: it has been taken, or not yet. */
const DROPS: Readonly<Record<number, Plan>> = {
  250: { does: 'reset_during' },
  500: { does: 'reset_before' },
  750: { does: 'reset_during' },
};
/** Somebody who was told that it failed asks again; for a second after a drop nobody gets through. */
const AGAIN_MS = 200;
const LIMIT_MS = 60_000;

let service: FaultService;

before(async () => {
  service = await openService((all) => ({
    ...all.smpp,
    SMPP_WINDOW: String(WINDOW),
    // A thousand codes are searched for in all that is logged.
    LOG_LEVEL: 'info',
  }));
});
after(async () => {
  await service?.close();
});

test('a thousand codes by SMS, three drops: sent once and charged once, or free', {
  timeout: LIMIT_MS,
}, async () => {
  const { smpp } = service.simulators;
  await until(smpp.enquire, (status) => status === 0);
  const startedAt = performance.now();
  const answers = await askForAll();
  await smpp.settle();
  const rows = await until(service.rows, (all) => all.every(isOver));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);

  const by = (state: Row['state']) => rows.filter((row) => row.state === state);
  const taken = Map.groupBy(smpp.journal.taken(), ({ to }) => to);
  const takenUnknown = by('unknown').filter(({ recipient }) => taken.has(recipient));
  const takenTwice = [...taken.values()].filter((messages) => messages.length > 1);
  const { binds, windowPeak } = smpp.figures();
  sayAtEnd(
    `SMPP: ${PEOPLE} codes of ${COMPANIES} companies, ${binds - 1} drops, ${seconds} s: ` +
      `${by('sent').length} sent, charged and delivered, ${by('unknown').length} unknown and free ` +
      `(${takenUnknown.length} of them taken), ${by('failed').length} asked for again; ` +
      `the centre took ${smpp.journal.taken().length}, ${takenTwice.length} twice; ` +
      `window at most ${windowPeak}`,
  );

  assert.equal(binds, 1 + Object.keys(DROPS).length);
  assert.equal(windowPeak, WINDOW);
  assertTold(answers, rows);
  for (const row of rows) assertTrue(row, taken.get(row.recipient) ?? []);
  assert.equal(by('sent').length + by('unknown').length, PEOPLE, 'everybody has heard once');
  assert.ok(by('sent').length > PEOPLE / 2 && takenUnknown.length > 0, 'the drops proved nothing');
  assert.deepEqual(await chargesApart(), [], 'a company was not charged for what was sent');
});

test('the books agree', async () => {
  await service.check();
});

async function askForAll(): Promise<Sent[]> {
  const companies = await service.createCompanies(COMPANIES);
  const answers: Sent[] = [];
  let next = 0;
  const ask = async (number: number) => {
    const phone = newPhone();
    const plan = DROPS[number] ?? { does: 'accept', delayMs: RESPONSE_MS };
    service.simulators.smpp.plans.add({ ...plan, to: phone.slice(1), times: 1 });
    for (;;) {
      const { key } = companies[number % COMPANIES] as (typeof companies)[number];
      const sent = await service.send('sms', phone, { withKey: key });
      answers.push(sent);
      if (sent.status !== 502) return;
      await pause(AGAIN_MS);
    }
  };
  const askSome = async () => {
    while (next < PEOPLE) await ask(++next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askSome));
  return answers;
}

function isOver({ state, receipt }: Row): boolean {
  return state !== 'sending' && (state !== 'sent' || receipt === 'delivered');
}

const STATES: Record<number, string> = { 200: 'sent', 502: 'failed', 504: 'unknown' };

/** Every message was answered for, with what the database says of it. */
function assertTold(answers: readonly Sent[], rows: readonly Row[]): void {
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  assert.equal(answers.length, rows.length);
  for (const { id, status, body } of answers) {
    assert.equal(states.get(id), STATES[status], `${id} ${status} ${JSON.stringify(body)}`);
  }
}

/** Nobody got two, whatever was answered and however often one asked. */
function assertTrue(row: Row, taken: readonly TakenMessage[]): void {
  const said = JSON.stringify({ row, taken });
  assert.ok(taken.length <= 1, `taken more than once: ${said}`);
  assert.equal(row.hold, 0, said);
  assert.equal(row.charged, row.state === 'sent' ? DEFAULT_PRICES.sms : 0, said);
  if (row.state === 'sent') assert.equal(row.provider_id, `smpp:${taken[0]?.id}`, said);
}

/** Companies whose entries are not those of their messages. */
const chargesApart = () =>
  service.sql(
    `select m.company_id, m.sent, e.messages, e.amount
     from (select company_id, count(*) filter (where state = 'sent') as sent from message group by 1) m
     left join (select company_id, sum(messages) as messages, sum(amount) as amount
       from entry where kind in ('charge', 'charge_moved') group by 1) e using (company_id)
     where e.messages is distinct from m.sent or e.amount is distinct from -${DEFAULT_PRICES.sms} * m.sent`,
  );
