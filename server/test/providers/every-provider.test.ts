/**
 * What holds for every provider: the true outcome of a message whatever the other side does, and
 * receipts that nobody can forge. A new provider needs a rig in provider-rigs.ts.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { HTTP_FORMS, Plan } from '../../../simulators/frame/plan.ts';
import type { Outcome, OutgoingMessage } from '../../src/channels/channel.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import {
  type OpenedRig,
  PROVIDER_RIGS,
  type ProviderRig,
  SMPP_TIMEOUT_MS,
} from './provider-rigs.ts';
import { NOBODYS_URL, serve, startParrot } from './rig/local-server.ts';
import {
  acceptedId,
  askStatus,
  codeMessage,
  groupMessage,
  QUIET,
  soon,
  until,
} from './rig/messages.ts';
import { assertReason } from './rig/tables.ts';
import { logged } from './rig/tools.ts';

type Result = Outcome['result'];

/** What the simulator does with one message, and what is true of the message then. */
type Fault = {
  plan: Plan;
  results: readonly Result[];
  /** How many messages the simulator believes to be on their way. */
  taken: 0 | 1;
  /** There is no answer to wait for. */
  isEndless?: true;
  /** A permanent connection ends, with the outcome or some time after it. */
  connection?: 'lost' | 'lost later';
};

const unknown = (plan: Plan, taken: 0 | 1, more: Partial<Fault> = {}): Fault => ({
  plan,
  results: ['unknown'],
  taken,
  ...more,
});

const LATE_FAULTS: Readonly<Record<string, Fault>> = {
  'no answer, and taken': unknown({ does: 'hang' }, 1, { isEndless: true }),
  'no answer, and not taken': unknown({ does: 'hang', isTaken: false }, 0, { isEndless: true }),
};

/** What an error with a success status means differs from provider to provider. */
type Form = Exclude<(typeof HTTP_FORMS)[number], 'error_body'>;
const FORM_NAMES: Readonly<Record<Form, string>> = {
  html: 'an answer in HTML',
  half_json: 'half an answer',
  empty: 'an empty answer',
  no_content: 'an answer with 204',
  no_id: 'an answer without an id',
  wrong_type: 'an answer of the wrong type',
  endless: 'an answer without end',
  packed: 'a compressed answer of 100 MB',
};

function statusFaults(results: Readonly<Record<number, Result>>): Record<string, Fault> {
  const faults = Object.entries(results).map(([code, result]): [string, Fault] => {
    const plan: Plan = { does: 'fail', code: Number(code), retryAfter: 3 };
    return [`the HTTP status ${code}`, { plan, results: [result], taken: 0 }];
  });
  return Object.fromEntries(faults);
}

const HTTP_FAULTS: Readonly<Record<string, Fault>> = {
  ...LATE_FAULTS,
  'an answer that drips': unknown({ does: 'drip' }, 1, { isEndless: true }),
  'a slow answer in time': {
    plan: { does: 'accept', delayMs: 200 },
    results: ['accepted'],
    taken: 1,
  },
  'a reset before the answer': unknown({ does: 'reset_before' }, 0),
  'a reset within the answer': unknown({ does: 'reset_during' }, 1),
  'a reset after the answer': {
    plan: { does: 'reset_after' },
    // The reset may overtake the answer.
    results: ['accepted', 'unknown'],
    taken: 1,
  },
  '500 although the message was taken': unknown({ does: 'fail', code: 500, isTaken: true }, 1),
  ...statusFaults({
    302: 'unknown',
    429: 'unavailable',
    500: 'unknown',
    502: 'unknown',
    503: 'unknown',
  }),
  ...Object.fromEntries(
    Object.entries(FORM_NAMES).map(([form, name]) => [
      name,
      unknown({ does: 'malformed', form: form as Form }, 1),
    ]),
  ),
};

const FRAME_FAULTS: Readonly<Record<string, Fault>> = {
  ...LATE_FAULTS,
  'a response that drips': unknown({ does: 'drip' }, 1, {
    isEndless: true,
    connection: 'lost later',
  }),
  'a response that is too late': unknown({ does: 'accept', delayMs: 2 * SMPP_TIMEOUT_MS }, 1),
  'a reset before the message is taken': lost({ does: 'reset_before' }, 0),
  'a reset within the response': lost({ does: 'reset_during' }, 1),
  'an end of the connection after the response': {
    plan: { does: 'reset_after' },
    results: ['accepted'],
    taken: 1,
    connection: 'lost',
  },
  'garbage for a response': lost({ does: 'malformed', form: 'garbage' }, 1),
  'a response to another message': unknown({ does: 'malformed', form: 'wrong_sequence' }, 1),
  'a response to another question': unknown({ does: 'malformed', form: 'wrong_command' }, 1),
  'a response of four gigabytes': lost({ does: 'malformed', form: 'huge_length' }, 1),
  'a response without a body': unknown({ does: 'malformed', form: 'empty' }, 1),
  'a response with an empty id': unknown({ does: 'malformed', form: 'no_id' }, 1),
  'a response with an id that does not end': unknown({ does: 'malformed', form: 'unended_id' }, 1),
};

function lost(plan: Plan, taken: 0 | 1): Fault {
  return unknown(plan, taken, { connection: 'lost' });
}

function faultsOf({ isFramed, statuses }: ProviderRig): Record<string, Fault> {
  return isFramed ? FRAME_FAULTS : { ...HTTP_FAULTS, ...statusFaults(statuses) };
}

async function tryFault(rig: ProviderRig, opened: OpenedRig, fault: Fault): Promise<void> {
  const { provider, simulator, connections } = opened;
  const { results, connection } = fault;
  const before = simulator.journal.taken().length;
  const takenNow = () => simulator.journal.taken().slice(before);
  simulator.plans.add({ ...fault.plan, times: 1, receipts: [] });
  const signal = fault.isEndless ? rig.giveUp(simulator) : soon();
  const outcome = await provider.send(codeMessage(), signal);
  assert.ok(results.includes(outcome.result), JSON.stringify(outcome));
  assert.ok(fault.isEndless || !signal.aborted, 'it did not have to wait for the deadline');
  assert.equal(takenNow().length, fault.taken);
  if (outcome.result === 'accepted') assert.equal(outcome.providerId, takenNow()[0]?.id);
  else assertReason(outcome.reason);
  if (outcome.result === 'unknown') {
    assert.equal(outcome.isConnectionLost, connection === 'lost' ? true : undefined);
  }

  if (connection !== undefined) await until(() => connections?.() === 2);
  simulator.plans.add(QUIET);
  const next = await provider.send(codeMessage({ text: 'Код 112233' }), soon());
  assert.equal(next.result, 'accepted', JSON.stringify(next));
  assert.equal(takenNow().length, fault.taken + 1, 'nothing is sent a second time');
  const opens = connections?.();
  if (opens !== undefined) assert.equal(opens, connection === undefined ? 1 : 2);
}

/** The calls at once of SMSC, which allows the fewest; the others share its semaphore. */
const PLACES_MIN = 12;

type Case = (t: TestContext, rig: ProviderRig) => Promise<void>;

const CASES: Readonly<Record<string, Case>> = {
  async 'an accepted message has the id that the provider gave it'(t, rig) {
    const { provider, simulator } = await rig.open(t);
    const outcome = await provider.send(codeMessage(), soon());
    assert.equal(acceptedId(outcome), simulator.journal.taken().at(-1)?.id);
  },

  'a message that the provider refuses is refused, and not taken': (t, rig) =>
    assertRefused(t, rig, { code: rig.refusal, result: 'refused' }),

  'a provider that cannot be used is unavailable, and takes nothing': (t, rig) =>
    assertRefused(t, rig, { code: rig.outage, result: 'unavailable' }),

  async 'nobody listening: unavailable, and a check says so'(t, rig) {
    const { provider } = await rig.openAt(t, NOBODYS_URL);
    const endless = new AbortController().signal;
    assert.deepEqual(await provider.send(codeMessage(), endless), {
      result: 'unavailable',
      reason: rig.isFramed ? 'Нет связи с оператором SMS' : 'Провайдер недоступен',
    });
    const { ok, detail } = await provider.check(soon());
    assert.equal(ok, false);
    assert.match(detail, /reached \(ECONNREFUSED\)\.$/);
  },

  async 'a message that is called off before it began is not sent'(t, rig) {
    const { provider, simulator } = await rig.open(t);
    const before = simulator.journal.lines.length;
    const outcome = await provider.send(codeMessage(), AbortSignal.abort());
    assert.equal(outcome.result, 'unavailable');
    assert.equal(simulator.journal.lines.length, before);
  },

  async 'a check of a good set-up is good, and sends nothing'(t, rig) {
    const { provider, simulator } = await rig.open(t);
    const before = simulator.journal.taken().length;
    const { ok, detail } = await provider.check(soon());
    assert.equal(ok, true, detail);
    assert.equal(simulator.journal.taken().length, before);
  },

  async 'wrong credentials are found by a check, send nothing, and are told to nobody'(t, rig) {
    const { provider, simulator } = await rig.openWrong(t);
    const before = simulator.journal.taken().length;
    const check = await provider.check(soon());
    assert.equal(check.ok, false);
    const outcome = await provider.send(codeMessage(), soon());
    assert.equal(outcome.result, 'unavailable');
    assert.equal(simulator.journal.taken().length, before);
    const status = await askStatus(provider, { providerId: '1' });
    assertSecretsUntold(rig, [check, outcome, status, simulator.journal.lines]);
  },

  async 'faults in a row use up no places, and tell no secret'(t, rig) {
    const { provider, simulator } = await rig.open(t);
    const said: unknown[] = [];
    const quick = Object.values(faultsOf(rig)).filter((fault) => !fault.isEndless);
    const plans: Plan[] = [
      ...quick.filter((fault) => fault.connection === undefined).map(({ plan }) => plan),
      ...(rig.isFramed ? [] : Array<Plan>(PLACES_MIN).fill({ does: 'reset_before' })),
      { does: 'refuse', code: rig.refusal },
      { does: 'refuse', code: rig.outage },
      { does: 'accept' },
    ];
    let last: Outcome | undefined;
    for (const [i, plan] of plans.entries()) {
      simulator.plans.add({ ...plan, times: 1, receipts: [] });
      last = await provider.send(codeMessage({ text: `Код ${i}` }), soon());
      said.push(last);
    }
    assert.equal(last?.result, 'accepted');
    said.push(await provider.check(soon()), simulator.journal.lines);
    await simulator.close();
    said.push(await provider.send(codeMessage(), soon()), await provider.check(soon()));
    assertSecretsUntold(rig, said);
  },
};

const HTTP_CASES: Readonly<Record<string, Case>> = {
  async 'a redirect is not followed'(t, rig) {
    const target = await rig.open(t);
    const before = target.simulator.journal.lines.length;
    const from = await serve(t, (request, response) => {
      // 307 keeps the method and the body.
      response.writeHead(307, { location: `${target.simulator.url}${request.url}` });
      request.resume().once('end', () => response.end());
    });
    const { provider } = await rig.openAt(t, from);
    assert.equal((await provider.send(codeMessage(), soon())).result, 'unknown');
    assert.equal((await provider.check(soon())).ok, false);
    assert.equal(target.simulator.journal.lines.length, before);
  },

  async 'an unclear answer is logged once a minute, without phone, code, text or secret'(t, rig) {
    const message = codeMessage();
    const body = {
      error: 'the gateway broke',
      to: ['+77010000001', '8 (701) 000-00-01', '%2B7 701 000 0001'],
      code: ['482913', '482 913'],
      text: message.text,
      auth: rig.secrets,
    };
    const { url } = await startParrot(t, {
      status: 500,
      body: `${JSON.stringify(body)}${'!'.repeat(500)}`,
    });
    const { provider } = await rig.openAt(t, url);
    const outcome = await provider.send(message, soon());
    await provider.send(codeMessage(), soon());
    assert.equal(outcome.result, 'unknown');
    const [line, ...others] = logged.filter((one) => one.message_id === message.ref.messageId);
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(line, {
      provider: provider.name,
      status: 500,
      count: 1,
      msg: 'provider gave an unclear answer',
    });
    assert.match(String(line?.body), /^\{"error":"the gateway broke"/);
    assert.equal([...String(line?.body)].length, 200);
    assert.doesNotMatch(String(line?.body), /\d{3}|код|сообщайте/i);
    assertSecretsUntold(rig, [line]);
  },

  async 'a check of an address where something else answers fails'(t, rig) {
    const { url } = await startParrot(t, { status: 404, body: '<html>' });
    const { provider } = await rig.openAt(t, url);
    const check = await provider.check(soon());
    assert.equal(check.ok, false);
    assertSecretsUntold(rig, [check]);
  },

  async 'a check that is called off fails'(t, rig) {
    const { provider } = await rig.open(t);
    assert.equal((await provider.check(AbortSignal.abort())).ok, false);
  },
};

/** Of providers that send to phones alone. */
const PHONE_CASES: Readonly<Record<string, Case>> = {
  async 'a group is refused without a call'(t, rig) {
    const { provider, simulator } = await rig.open(t);
    assert.equal(provider.carries.has('group'), false);
    const outcome = await provider.send(groupMessage('-100123'), soon());
    assert.equal(outcome.result, 'refused');
    assert.deepEqual(simulator.journal.lines, []);
  },
};

const STATUS_CASES: Readonly<Record<string, Case>> = {
  async 'a status that cannot be read is unclear'(t, rig) {
    for (const { provider } of [await rig.openWrong(t), await rig.openAt(t, NOBODYS_URL)]) {
      for (const providerId of ['1001', undefined]) {
        assert.deepEqual(await askStatus(provider, { providerId }), { known: 'unclear' });
      }
    }
  },
};

async function assertRefused(
  t: TestContext,
  rig: ProviderRig,
  { code, result }: { code: string | number; result: Result },
): Promise<void> {
  const { provider, simulator } = await rig.open(t);
  const before = simulator.journal.taken().length;
  simulator.plans.add({ does: 'refuse', code });
  const message = codeMessage();
  const outcome = await provider.send(message, soon());
  assert.equal(outcome.result, result, JSON.stringify(outcome));
  const lines = logged.filter((line) => line.message_id === message.ref.messageId);
  assert.deepEqual(lines, [], 'what is clear is not logged');
  if (outcome.result !== 'accepted') assertReason(outcome.reason);
  assert.equal(simulator.journal.taken().length, before);
}

function assertSecretsUntold(rig: ProviderRig, said: readonly unknown[]): void {
  const text = JSON.stringify(said);
  for (const secret of [...rig.secrets, ...rig.otherSecrets]) {
    assert.ok(!text.includes(secret) && !text.includes(encodeURIComponent(secret)), text);
  }
}

const RECEIPT_CASES: Readonly<Record<string, Case>> = {
  async 'a receipt names its message'(t, rig) {
    const opened = await rig.open(t);
    const plan: Plan = { does: 'accept', receipts: ['sent', ...rig.receipts] };
    const sent = await sendUnder(opened, plan);
    await opened.simulator.settle();
    assert.deepEqual(heard(opened), expected(rig, sent, rig.heardAs ?? rig.receipts));
  },

  async 'receipts that come ten times and in the wrong order are read as they come'(t, rig) {
    const opened = await rig.open(t);
    const receipts = ['delivered', 'failed'] as const;
    const plan: Plan = { does: 'accept', receipts, copies: 10, isReversed: true };
    const sent = await sendUnder(opened, plan);
    await opened.simulator.settle();
    const all = receipts.toReversed().flatMap((receipt) => Array<string>(10).fill(receipt));
    assert.deepEqual(heard(opened), expected(rig, sent, all));
  },

  async 'a receipt that comes before the answer is read'(t, rig) {
    const opened = await rig.open(t);
    const plan: Plan = { does: 'accept', receipts: ['delivered'], isEarly: true, delayMs: 300 };
    const sent = await sendUnder(opened, plan);
    assert.deepEqual(heard(opened), expected(rig, sent, ['delivered']));
  },

  async 'a failure after the acceptance says why'(t, rig) {
    const opened = await rig.open(t);
    const { message, id } = await sendUnder(opened, { does: 'accept', receipts: ['failed'] });
    await opened.simulator.settle();
    const status = await askStatus(opened.provider, { ref: message.ref, providerId: id });
    const report = opened.reports()[0] ?? (status?.known === 'accepted' ? status : undefined);
    assert.equal(report?.receipt, 'failed');
    assert.match(report?.reason ?? '', /\p{L}{3}/u);
  },

  async 'a forged receipt is turned away, and a true one after it is read'(t, rig) {
    const opened = await rig.open(t);
    const { simulator } = opened;
    const sent = await sendUnder(opened, QUIET);
    // Over a permanent connection a phone writes it, and the centre must not send it again.
    const [refused, taken] = rig.isFramed ? [0, 0] : [403, 200];
    for (const receipt of ['delivered', 'failed'] as const) {
      const statuses = await simulator.report(sent.id, receipt, { isForged: true });
      assert.deepEqual(statuses, [refused]);
    }
    assert.deepEqual(heard(opened), []);
    assert.deepEqual(await simulator.report(sent.id, 'delivered'), [taken]);
    assert.deepEqual(heard(opened), expected(rig, sent, ['delivered']));
  },
};

type Sent = { message: OutgoingMessage; id: string; receiptKey: Provider['receiptKey'] };

async function sendUnder({ provider, simulator }: OpenedRig, plan: Plan): Promise<Sent> {
  simulator.plans.add(plan);
  const message = codeMessage();
  const id = acceptedId(await provider.send(message, soon()));
  return { message, id, receiptKey: provider.receiptKey };
}

/** The receipts that came, each with the message that it names. */
function heard({ reports, unproven }: OpenedRig): string[] {
  const read = reports().map((report) => {
    const name = 'ref' in report ? refText(report.ref) : report.providerId;
    return `${name}: ${report.receipt}`;
  });
  return [...read, ...unproven().map((id) => `${id}: to be queried`)];
}

function expected(rig: ProviderRig, sent: Sent, receipts: readonly string[]): string[] {
  const name = sent.receiptKey === 'ref' ? refText(sent.message.ref) : sent.id;
  return receipts.map((receipt) => `${name}: ${rig.isUnproven ? 'to be queried' : receipt}`);
}

/** Tests wait far more than they work, each with a simulator of its own. */
const SIDE_BY_SIDE = { concurrency: 8 };

describe('every provider', SIDE_BY_SIDE, () => {
  for (const rig of PROVIDER_RIGS) {
    for (const [name, fault] of Object.entries(faultsOf(rig))) {
      const outcome = `${fault.results.join(' or ')}, ${fault.taken} taken`;
      test(`${rig.name}: ${name}: ${outcome}, and the next message goes out`, async (t) =>
        tryFault(rig, await rig.open(t), fault));
    }
    for (const [name, run] of Object.entries(casesOf(rig))) {
      test(`${rig.name}: ${name}`, (t) => run(t, rig));
    }
  }
});

function casesOf(rig: ProviderRig): Record<string, Case> {
  return {
    ...CASES,
    ...(rig.isFramed ? {} : HTTP_CASES),
    ...(rig.isForGroups ? {} : PHONE_CASES),
    ...(rig.hasStatus ? STATUS_CASES : {}),
    ...(rig.receipts.length > 0 ? RECEIPT_CASES : {}),
  };
}
