/**
 * A thousand people ask for a code by SMS, from many companies over one SMPP bind, whose connection
 * the message centre drops three times. Compares the answers and charges of the service with the
 * journal of the centre.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import type { TakenMessage } from '../../../simulators/frame/journal.ts';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { newPhone } from '../outages/load-client.ts';
import { addToSummary } from '../test-summary.ts';
import { type FaultService, openService, type Row, type Sent, waitFor } from './fault-service.ts';

const PEOPLE = 1_000;
const COMPANIES = 20;
const CONCURRENCY = 40;
const WINDOW = 10;
/** Long enough for the window to be full at each drop. */
const RESPONSE_MS = 8;
/** The connection drops at the messages of these people, after or before the message was taken. */
const DROPS: Readonly<Record<number, Plan>> = {
  250: { does: 'reset_during' },
  500: { does: 'reset_before' },
  750: { does: 'reset_during' },
};
/** The pause before a person asks again; sends fail for about a second after a drop. */
const RETRY_PAUSE_MS = 200;
const TIMEOUT_MS = 60_000;

let service: FaultService;

before(async () => {
  service = await openService((all) => ({
    ...all.smpp,
    SMPP_WINDOW: String(WINDOW),
    // The last test searches the whole log for a thousand codes.
    LOG_LEVEL: 'info',
  }));
});
after(async () => {
  await service?.close();
});

test('with three dropped connections each of 1000 codes is sent and charged once, or free', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { smpp } = service.simulators;
  await waitFor(smpp.enquire, (status) => status === 0);
  const startedAt = performance.now();
  const answers = await askForAll();
  await smpp.settle();
  const rows = await waitFor(service.rows, (all) => all.every(isSettled));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);

  const by = (state: Row['state']) => rows.filter((row) => row.state === state);
  const taken = Map.groupBy(smpp.journal.taken(), ({ to }) => to);
  const takenUnknown = by('unknown').filter(({ recipient }) => taken.has(recipient));
  const takenTwice = [...taken.values()].filter((messages) => messages.length > 1);
  const { binds, windowPeak } = smpp.figures();
  addToSummary(
    `SMPP: ${PEOPLE} codes of ${COMPANIES} companies, ${binds - 1} drops, ${seconds} s: ` +
      `${by('sent').length} sent, charged and delivered, ${by('unknown').length} unknown and free ` +
      `(${takenUnknown.length} of them taken), ${by('failed').length} asked for again; ` +
      `the centre took ${smpp.journal.taken().length}, ${takenTwice.length} twice; ` +
      `window at most ${windowPeak}`,
  );

  assert.equal(binds, 1 + Object.keys(DROPS).length);
  assert.equal(windowPeak, WINDOW);
  assertAnswersMatch(answers, rows);
  for (const row of rows) assertConsistent(row, taken.get(row.recipient) ?? []);
  assert.equal(
    by('sent').length + by('unknown').length,
    PEOPLE,
    'everybody must get one final answer',
  );
  assert.ok(
    by('sent').length > PEOPLE / 2 && takenUnknown.length > 0,
    'the drops must hit messages in flight, and few of them',
  );
  assert.deepEqual(
    await findWrongCharges(),
    [],
    'companies whose charges differ from their sent messages',
  );
});

test('the ledger invariants hold, and no secret was logged', async () => {
  await service.assertInvariants();
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
      await pause(RETRY_PAUSE_MS);
    }
  };
  const askNext = async () => {
    while (next < PEOPLE) await ask(++next);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, askNext));
  return answers;
}

function isSettled({ state, receipt }: Row): boolean {
  return state !== 'sending' && (state !== 'sent' || receipt === 'delivered');
}

const STATES: Record<number, string> = { 200: 'sent', 502: 'failed', 504: 'unknown' };

/** Each message was answered with the state that the database has. */
function assertAnswersMatch(answers: readonly Sent[], rows: readonly Row[]): void {
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  assert.equal(answers.length, rows.length);
  for (const { id, status, body } of answers) {
    assert.equal(states.get(id), STATES[status], `${id} ${status} ${JSON.stringify(body)}`);
  }
}

/** Nobody got two messages, whatever was answered and however often the person asked. */
function assertConsistent(row: Row, taken: readonly TakenMessage[]): void {
  const details = JSON.stringify({ row, taken });
  assert.ok(taken.length <= 1, `taken more than once: ${details}`);
  assert.equal(row.hold, 0, details);
  assert.equal(row.charged, row.state === 'sent' ? DEFAULT_PRICES.sms : 0, details);
  const id = new RegExp(`^smpp:[0-9a-f]{8}/${taken[0]?.id}$`);
  if (row.state === 'sent') assert.match(row.provider_id ?? '', id, details);
}

/** Companies whose ledger entries differ from their sent messages. */
const findWrongCharges = () =>
  service.sql(
    `select m.company_id, m.sent, e.messages, e.amount
     from (select company_id, count(*) filter (where state = 'sent') as sent from message group by 1) m
     left join (select company_id, sum(messages) as messages, sum(amount) as amount
       from entry where kind in ('charge', 'charge_moved') group by 1) e using (company_id)
     where e.messages is distinct from m.sent or e.amount is distinct from -${DEFAULT_PRICES.sms} * m.sent`,
  );
