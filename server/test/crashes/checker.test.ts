/** For every invariant, one change to a small correct run must be reported by the checker. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import type { AttemptRef } from '../../src/channels/channel.ts';
import { check, describeViolations, type InvariantId } from '../checker/check.ts';
import type { Acknowledgement, ChannelCall, Logs } from '../checker/logs.ts';

const PHONE = '77010000001';
const CODE = '123456';
const NOTHING = {
  idempotencyKey: null,
  errorCode: null,
  messageId: null,
  channel: null,
  cost: null,
  shortUrl: null,
  given: null,
};

function acknowledge(ack: Partial<Acknowledgement>): Acknowledgement {
  return {
    ...NOTHING,
    startedAt: 1_000,
    endedAt: 1_100,
    action: 'send_code',
    requestId: 'req-1',
    keyId: 1,
    companyId: 1,
    phone: PHONE,
    outcome: 'ok',
    ...ack,
  };
}

function call(entry: Partial<ChannelCall>): ChannelCall {
  return {
    event: 'call',
    at: 1_050,
    channel: 'whatsapp',
    ref: { companyId: 1, messageId: 'm1', attempt: 1 } as AttemptRef,
    phone: PHONE,
    content: 'code',
    answer: 'accepted',
    providerId: 'p1',
    ...entry,
  };
}

/** A company sent a code by WhatsApp, it was verified, and a link was shortened. */
function createCorrectRun() {
  const sent = { messageId: 'm1', channel: 'whatsapp', cost: 3 };
  const link = 'https://example.com/';
  return {
    setup: {
      prices: DEFAULT_PRICES,
      keys: [{ keyId: 1, companyId: 1, channels: ['whatsapp' as const], since: 0 }],
    },
    database: {
      accounts: [{ company_id: 1, balance: 47, held: 0 }],
      entries: [
        { company_id: 1, kind: 'welcome_bonus', amount: 50, messages: 0, balance_after: 50 },
        { company_id: 1, kind: 'charge', amount: -3, messages: 1, balance_after: 47 },
      ],
      messages: [
        {
          company_id: 1,
          id: 'm1',
          key_id: 1,
          key_company: 1,
          kind: 'otp' as const,
          recipient: PHONE,
          state: 'sent' as 'sent' | 'sending' | 'failed' | 'unknown',
          receipt: 'delivered',
          channel: 'whatsapp' as const,
          route: '',
          hold: 0,
          charged: 3,
          provider_id: 'p1',
          body: null as string | null,
          request_id: 'req-1',
          settle_seconds: 0.1,
        },
      ],
      attempts: [],
      codes: [
        {
          key_id: 1,
          key_company: 1,
          phone: PHONE,
          company_id: 1,
          message_id: 'm1',
          is_verified: true,
          is_sealed: false,
        },
      ],
      links: [{ slug_key: 'abc', slug: 'abc', company_id: 1, url: link, message_id: null }],
      answers: [],
      earlyReceipts: [] as { message_id: string }[],
      audit: { violations: {} as Logs['database']['audit']['violations'] },
    } as unknown as Logs['database'],
    clients: [
      acknowledge(sent),
      acknowledge({ action: 'verify', startedAt: 1_200, endedAt: 1_300, given: CODE }),
      acknowledge({ action: 'shorten', phone: null, given: link, shortUrl: 'http://x/s/abc' }),
    ],
    channels: [
      call({}),
      {
        event: 'receipt' as const,
        at: 1_060,
        channel: 'whatsapp' as const,
        ref: call({}).ref,
        receipt: 'delivered' as const,
      },
    ] as Logs['channels'][number][],
    phones: [{ at: 1_050, phone: PHONE, channel: 'whatsapp' as const, text: CODE, code: CODE }],
  };
}

type Run = ReturnType<typeof createCorrectRun>;

function change<Row extends object>([row]: readonly Row[], to: Partial<Row>): void {
  assert(row);
  Object.assign(row, to);
}

const wrongGuess = (index: number) =>
  acknowledge({
    action: 'verify',
    startedAt: 1_150 + index,
    endedAt: 1_150 + index,
    outcome: 'refused',
    errorCode: 'invalid_code',
  });
const otherMessage = (ref = { ...call({}).ref, messageId: 'm2' } as AttemptRef) => call({ ref });

const TAMPERINGS: Record<InvariantId, (run: Run) => void> = {
  M2: (run) => change(run.database.accounts, { balance: 48 }),
  M3: (run) => void run.database.entries.reverse(),
  M5: (run) => change(run.database.entries.slice(1), { messages: 2 }),
  M6: (run) => change(run.database.messages, { provider_id: 'p2' }),
  M7: (run) => change(run.database.accounts, { held: 3 }),
  M8: (run) => change(run.clients, { cost: 8 }),
  M9: (run) => change(run.clients, { outcome: 'refused' }),
  M10: (run) => void run.channels.push(otherMessage()),
  M11: (run) => change(run.database.messages, { charged: 8 }),
  M12: (run) => {
    change(run.clients, { outcome: 'unknown', requestId: 'req-1' });
    change(run.database.messages, { settle_seconds: 21 });
  },
  MA: (run) => change([run.database.audit.violations], { hold_is_stale: 1 }),
  D1: (run) => void run.channels.push(call({ at: 1_070 })),
  D2: (run) => void run.channels.push(otherMessage()),
  D3: (run) => void run.database.earlyReceipts.push({ message_id: 'm1' }),
  D5: (run) => void run.channels.push(call({ channel: 'sms' })),
  D6: (run) => void run.channels.push(call({ channel: 'sms', at: 20_000 })),
  D7: (run) => void run.phones.pop(),
  O1: (run) => void run.clients.push(acknowledge({ action: 'verify', given: CODE })),
  O2: (run) => void run.clients.push(...Array.from({ length: 6 }, (_, i) => wrongGuess(i))),
  O4: (run) => change(run.database.codes, { is_verified: false }),
  O5: (run) => change(run.database.messages, { body: `Код ${CODE}` }),
  R1: (run) => void run.clients.push(acknowledge({ messageId: 'm2' })),
  I1: (run) =>
    void run.clients.push(
      acknowledge({ idempotencyKey: 'k', messageId: 'm1' }),
      acknowledge({ idempotencyKey: 'k', messageId: 'm2' }),
    ),
  L1: (run) => change(run.database.links, { url: 'https://example.org/' }),
  T1: (run) => change(run.database.codes, { company_id: 2 }),
  H1: (run) => void run.database.messages.pop(),
};

test('the checker reports nothing for a correct run', () => {
  assert.equal(describeViolations(check(createCorrectRun())), '');
});

test('a code that was acknowledged only when it was asked for again counts from the first try', () => {
  const successes = (secondAt: number) => {
    const run = createCorrectRun();
    run.clients = [
      acknowledge({ idempotencyKey: 'k', outcome: 'unknown' }),
      acknowledge({ idempotencyKey: 'k', startedAt: 30_000, endedAt: 31_000, messageId: 'm1' }),
      acknowledge({ startedAt: secondAt, endedAt: secondAt + 100, messageId: 'm2' }),
    ];
    return check(run).violations.R1?.length ?? 0;
  };
  assert.equal(successes(61_000), 0);
  assert.equal(successes(60_800), 1);
});

test('a success that was answered after a fallback may cost what the first channel did', () => {
  const violations = (first: 'whatsapp' | 'sms') => {
    const run = createCorrectRun();
    const accepted = { company_id: 1, message_id: 'm1', state: 'accepted', receipt: null };
    run.database.attempts.push(
      { ...accepted, number: 1, channel: first },
      { ...accepted, number: 2, channel: 'sms' },
    );
    change(run.clients, { channel: 'sms', cost: 3 });
    return check(run).violations.M8?.length ?? 0;
  };
  assert.equal(violations('whatsapp'), 0);
  assert.equal(violations('sms'), 1);
});

for (const [id, tamper] of Object.entries(TAMPERINGS)) {
  test(`the checker reports a violation of ${id}`, () => {
    const run = createCorrectRun();
    tamper(run);
    assert.ok(id in check(run).violations, describeViolations(check(run)));
  });
}
