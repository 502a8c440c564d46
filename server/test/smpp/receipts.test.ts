/**
 * Receipts as message centres really write them. Each test is named "peer: case: what happened".
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Scope } from '../providers/rig/local-server.ts';
import { acceptedId, PHONE, soon, until } from '../providers/rig/messages.ts';
import {
  connectTo,
  type Fields,
  type ForeignCentre,
  type ForeignRig,
  startForeignCentre,
  textMessage,
} from './foreign-centre.ts';
import { startNetSmpp, whyNoNetSmpp } from './net-smpp-centre.ts';

const DATES = 'submit date:2611190900 done date:2611190901';
const CUSTOMARY = `id:ID sub:001 dlvrd:001 ${DATES} stat:DELIVRD err:000 text:Hello`;
const MARKED = 4;
const ADDRESSES = {
  source_addr_ton: 1,
  source_addr_npi: 1,
  source_addr: PHONE,
  dest_addr_ton: 5,
  dest_addr_npi: 0,
  destination_addr: 'Zhiber',
};

type Case = {
  /** ID stands for the id of the message. */
  fields: Fields;
  command?: 'data_sm';
  reported: 'delivered' | 'failed' | 'nothing';
};

const marked = (text: string) => ({ esm_class: MARKED, short_message: text });

const CASES = {
  'the customary receipt': { fields: marked(CUSTOMARY), reported: 'delivered' },
  'semicolons between the fields': {
    fields: marked(`id:ID;sub:001;dlvrd:001;${DATES.replace(' done', ';done')};stat:DELIVRD;err:0`),
    reported: 'delivered',
  },
  'commas between the fields': {
    fields: marked('id:ID, sub:001, dlvrd:001, stat:DELIVRD, err:000, text:Hello'),
    reported: 'delivered',
  },
  'a line for each field': {
    fields: marked('id:ID\nsub:001\nstat:DELIVRD\nerr:000'),
    reported: 'delivered',
  },
  'status instead of stat': { fields: marked('id:ID status:DELIVRD'), reported: 'delivered' },
  'an id in quotes': { fields: marked('id:"ID" sub:001 stat:DELIVRD'), reported: 'delivered' },
  'no mark in esm_class': {
    fields: { esm_class: 0, short_message: CUSTOMARY },
    reported: 'delivered',
  },
  'no mark in esm_class, fields alone': {
    fields: { esm_class: 0, receipted_message_id: 'ID', message_state: 2 },
    reported: 'delivered',
  },
  'the mark of an intermediate notification, a final state': {
    fields: { esm_class: 0x20, short_message: CUSTOMARY },
    reported: 'delivered',
  },
  'the text in message_payload': {
    fields: { esm_class: MARKED, message_payload: CUSTOMARY },
    reported: 'delivered',
  },
  'data_sm with fields': {
    command: 'data_sm',
    fields: { esm_class: MARKED, receipted_message_id: 'ID', message_state: 2 },
    reported: 'delivered',
  },
  'data_sm with a text in message_payload': {
    command: 'data_sm',
    fields: { esm_class: MARKED, message_payload: CUSTOMARY },
    reported: 'delivered',
  },
  'state FAILED': { fields: marked(CUSTOMARY.replace('DELIVRD', 'FAILED')), reported: 'failed' },
  'state SKIPPED in a field': {
    fields: { esm_class: MARKED, receipted_message_id: 'ID', message_state: 9 },
    reported: 'failed',
  },
  'state ENROUTE': { fields: marked(CUSTOMARY.replace('DELIVRD', 'ENROUTE')), reported: 'nothing' },
  'no mark in esm_class, and no phone': {
    fields: { esm_class: 0, short_message: CUSTOMARY, source_addr: '1414' },
    reported: 'nothing',
  },
  'a person who writes id and stat': {
    fields: { esm_class: 0, short_message: 'id:ID stat:DELIVRD' },
    reported: 'nothing',
  },
  'a receipt without an id': { fields: marked('stat:DELIVRD err:000'), reported: 'nothing' },
} satisfies Record<string, Case>;

type Peer = Pick<ForeignCentre, 'port' | 'deliver'>;

/** The cases with one centre, one after the other: each receipt is of a message of its own. */
function runCases(
  peer: string,
  cases: Record<string, Case>,
  { start, skip }: { start(t: Scope): Promise<Peer>; skip: string | false },
): void {
  describe(peer, () => {
    let centre: Peer;
    let rig: ForeignRig;
    const closers: (() => unknown)[] = [];
    const scope: Scope = { after: (close) => closers.push(close) };
    before(async () => {
      if (skip !== false) return;
      centre = await start(scope);
      rig = connectTo(scope, centre);
      await until(() => rig.provider.state?.().isUp === true);
    });
    after(async () => {
      for (const close of closers.reverse()) await close();
    });

    for (const [what, { fields, command, reported }] of Object.entries(cases)) {
      test(`${peer}: ${what}: ${reported}`, { skip }, async () => {
        const providerId = acceptedId(await rig.provider.send(textMessage('Hello'), soon()));
        const named = Object.entries(fields).map(([field, value]) => [
          field,
          typeof value === 'string' ? value.replace('ID', providerId) : value,
        ]);
        rig.reports.length = 0;
        const delivery = { ...ADDRESSES, ...Object.fromEntries(named) };
        assert.equal(await centre.deliver(delivery, command), 0);
        assert.deepEqual(
          rig.reports.map(
            (report) => 'providerId' in report && [report.providerId, report.receipt],
          ),
          reported === 'nothing' ? [] : [[providerId, reported]],
        );
      });
    }
  });
}

runCases('node-smpp', CASES, { start: (t) => startForeignCentre(t), skip: false });

const perlCases: Record<string, Case> = {
  'the customary receipt': CASES['the customary receipt'],
  'no mark in esm_class': CASES['no mark in esm_class'],
  'the text in message_payload': CASES['the text in message_payload'],
  'data_sm with fields': {
    command: 'data_sm',
    fields: { esm_class: MARKED, receipted_message_id: 'ID\0', message_state: '\x02' },
    reported: 'delivered',
  },
  'state FAILED': CASES['state FAILED'],
  'state ENROUTE': CASES['state ENROUTE'],
};
runCases('Net::SMPP', perlCases, { start: startNetSmpp, skip: whyNoNetSmpp() });

test('node-smpp: a stop word of a person, in deliver_sm and in data_sm: recorded', async (t) => {
  const centre = await startForeignCentre(t);
  const { provider, reports, stops } = connectTo(t, centre);
  await until(() => provider.state?.().isUp === true);
  await centre.deliver({ ...ADDRESSES, esm_class: 0, short_message: 'STOP' });
  await centre.deliver({ ...ADDRESSES, esm_class: 0, message_payload: 'STOP' }, 'data_sm');
  assert.deepEqual(stops, [{ phone: PHONE }, { phone: PHONE }]);
  assert.deepEqual(reports, []);
});

test('node-smpp: a receipt that another phone types: it is reported with that phone', async (t) => {
  const centre = await startForeignCentre(t);
  const { provider, reports } = connectTo(t, centre);
  const id = acceptedId(await provider.send(textMessage('Hello'), soon()));
  const typed = { esm_class: 0, short_message: CUSTOMARY.replace('ID', id) };
  await centre.deliver({ ...ADDRESSES, ...typed, source_addr: '77010000002' });
  assert.partialDeepStrictEqual(reports, [{ providerId: id, phone: '77010000002' }]);
});
