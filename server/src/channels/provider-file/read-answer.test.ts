import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readProviderFile } from '../../config/provider-file/read-provider-file.ts';
import type { ProviderAnswer } from '../../runtime/provider-client.ts';
import { readBalance, readSent, readStatusAnswer } from './read-answer.ts';

const UNCLEAR = { result: 'unknown', reason: 'Провайдер ответил непонятно' };
const OWN_ID = '1.1.own';

function describeGate(parts: { answer?: object; status?: object; balance?: object }) {
  const { answer = { format: 'json', id: '/id' }, ...others } = parts;
  const url = 'https://a.kz/?to={{phone}}&text={{text}}&id={{id}}';
  const file = { name: 'gate', channel: 'whatsapp', send: { url, answer }, ...others };
  const { description, mistakes } = readProviderFile(JSON.stringify(file));
  assert.ok(description, String(mistakes));
  return description;
}

const answered = (body: unknown, status = 200): ProviderAnswer => ({
  kind: 'answer',
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

function sent(answer: object, body: unknown, status = 200) {
  return readSent(answered(body, status), describeGate({ answer }).send.answer, OWN_ID);
}

const accepted = (providerId: string) => ({ result: 'accepted', providerId });
const NO_MONEY = { result: 'unavailable', reason: 'Нет денег' };
const WRONG_PHONE = { result: 'refused', reason: 'Неверный номер' };

describe('JSON', () => {
  const rules = {
    format: 'json',
    accepted: { '/status': ['ok', 1] },
    id: '/data/id',
    error: '/error',
    errors: { '3': { unavailable: 'Нет денег' }, bad_phone: { refused: 'Неверный номер' } },
    http: { '402': { unavailable: 'Нет денег' } },
  };

  const ANSWERS: [string, unknown, number, object][] = [
    ['accepts with all its signs', { status: 'ok', data: { id: 'a-1' } }, 200, accepted('a-1')],
    ['compares numbers as texts', { status: 1, data: { id: 77 } }, 201, accepted('77')],
    ['refuses by a known error', { error: 'bad_phone' }, 200, WRONG_PHONE],
    ['refuses by it with a status of refusal', { error: 'bad_phone' }, 422, WRONG_PHONE],
    [
      'believes a known error before an acceptance',
      { status: 'ok', data: { id: '1' }, error: 3 },
      200,
      NO_MONEY,
    ],
    ['knows an error by the HTTP status', 'Payment required', 402, NO_MONEY],
    ['is unclear with an unknown error', { error: 'strange' }, 200, UNCLEAR],
    ['is unclear with another status', { status: 'later', data: { id: '1' } }, 200, UNCLEAR],
    ['is unclear without an id', { status: 'ok', data: {} }, 200, UNCLEAR],
    ['is unclear with an id that is none', { status: 'ok', data: { id: 'a b' } }, 200, UNCLEAR],
    ['is unclear with an id of another type', { status: 'ok', data: { id: ['1'] } }, 200, UNCLEAR],
    [
      'is unclear with an id that is too long',
      { status: 'ok', data: { id: 'a'.repeat(201) } },
      200,
      UNCLEAR,
    ],
    ['does not accept with a status of refusal', { status: 'ok', data: { id: '1' } }, 400, UNCLEAR],
    ['does not read a server that fails', { error: 'bad_phone' }, 500, UNCLEAR],
    ['does not read a time-out', { error: 'bad_phone' }, 408, UNCLEAR],
    ['does not read a redirection', { status: 'ok', data: { id: '1' } }, 302, UNCLEAR],
    ['is unclear when it is not JSON', '<html>', 200, UNCLEAR],
    ['is unclear when it is half of it', '{"status":"ok","data":{"id":"1"', 200, UNCLEAR],
    ['is unclear when it is very deep', '['.repeat(60_000), 200, UNCLEAR],
    ['is unclear when it is empty', '', 200, UNCLEAR],
    ['finds nothing in prototypes', { status: 'ok', data: 'x' }, 200, UNCLEAR],
  ];
  for (const [name, body, status, expected] of ANSWERS) {
    test(`an answer ${name}`, () => assert.deepEqual(sent(rules, body, status), expected));
  }

  test('an id of more digits than a number has is kept', () => {
    const body = '{"status":"ok","data":{"id":12345678901234567890}}';
    assert.deepEqual(sent(rules, body), accepted('12345678901234567890'));
  });

  test('401, 403 and 429 mean that nothing was sent, unless the file knows more', () => {
    for (const status of [401, 403, 429]) {
      assert.equal(sent(rules, 'no', status).result, 'unavailable');
      assert.deepEqual(sent(rules, { error: 'bad_phone' }, status), WRONG_PHONE);
    }
  });

  test('without an answer nothing was sent only when not a byte left', () => {
    const { answer } = describeGate({ answer: rules }).send;
    const without = (kind: 'not_sent' | 'broken') => readSent({ kind, why: 'x' }, answer, OWN_ID);
    assert.equal(without('not_sent').result, 'unavailable');
    assert.equal(without('broken').result, 'unknown');
  });

  test('without signs an id is one, but not beside an error', () => {
    const bare = { format: 'json', id: '/id', error: '/error' };
    assert.deepEqual(sent(bare, { id: 'x1' }), accepted('x1'));
    assert.deepEqual(sent(bare, { id: 'x1', error: null }), accepted('x1'));
    assert.deepEqual(sent(bare, { id: 'x1', error: 'odd' }), UNCLEAR);
  });

  test('what every object of JavaScript has is in no answer', () => {
    const odd = { format: 'json', id: '/constructor/name' };
    assert.deepEqual(sent(odd, {}), UNCLEAR);
    assert.deepEqual(sent({ format: 'json', id: '/list/length' }, { list: [1] }), UNCLEAR);
  });

  test('all signs have to be there', () => {
    const strict = { ...rules, accepted: { '/status': ['ok'], '/paid': [true] } };
    assert.deepEqual(sent(strict, { status: 'ok', data: { id: '1' } }), UNCLEAR);
    assert.deepEqual(sent(strict, { status: 'ok', paid: true, data: { id: '1' } }), accepted('1'));
  });

  test('a sign may be that nothing is there', () => {
    const silent = { ...rules, accepted: { '/fault': [''] } };
    for (const fault of [undefined, null, '', ' ']) {
      assert.deepEqual(sent(silent, { fault, data: { id: '1' } }), accepted('1'));
    }
    assert.deepEqual(sent(silent, { fault: 'x', data: { id: '1' } }), UNCLEAR);
  });

  test('other errors have a meaning when the file gives them one', () => {
    const open = { ...rules, errors: { ...rules.errors, '*': { unknown: 'Сбой' } } };
    assert.deepEqual(sent(open, { error: 'strange' }), { result: 'unknown', reason: 'Сбой' });
    assert.deepEqual(sent(open, {}), UNCLEAR);
    assert.deepEqual(sent(open, { status: 'ok', data: { id: '1' } }), accepted('1'));
  });

  test('without an id of the provider ours is the one', () => {
    const { id: _, ...nameless } = rules;
    assert.deepEqual(sent(nameless, { status: 'ok' }), accepted(OWN_ID));
    const echoing = { format: 'json', reference: '/ref' };
    assert.deepEqual(sent(echoing, { ref: OWN_ID }), accepted(OWN_ID));
    assert.deepEqual(sent(echoing, { ref: '1.1.other' }), UNCLEAR);
    assert.deepEqual(sent(echoing, {}), UNCLEAR);
  });
});

test('XML is read by its paths', () => {
  const rules = {
    format: 'xml',
    accepted: { '/r/sms[2]/@state': ['ok'] },
    id: '/r/sms[2]/text()',
    error: '/r/error',
    errors: { '3': { unavailable: 'Нет денег' } },
  };
  const xml = (inside: string) => `<?xml version="1.0"?>\n<x:r xmlns:x="u">${inside}</x:r>`;
  const two = '<sms state="no">1</sms><sms state="ok">\n 22 </sms>';
  assert.deepEqual(sent(rules, xml(two)), accepted('22'));
  assert.deepEqual(sent(rules, xml('<error>3</error>')), NO_MONEY);
  assert.deepEqual(sent(rules, xml('<sms state="ok">1</sms>')), UNCLEAR);
  assert.deepEqual(sent(rules, '<r><sms/>'), UNCLEAR);
});

test('plain text is read by a pattern', () => {
  const rules = {
    format: 'text',
    pattern: String.raw`^(?:OK;(?<id>\d+)|ERR;(?<code>\d+))$`,
    id: 'id',
    error: 'code',
    errors: { '3': { unavailable: 'Нет денег' } },
  };
  assert.deepEqual(sent(rules, 'OK;12345\r\n'), accepted('12345'));
  assert.deepEqual(sent(rules, 'ERR;3'), NO_MONEY);
  assert.deepEqual(sent(rules, 'ERR;4'), UNCLEAR);
  assert.deepEqual(sent(rules, 'OK;12345;more'), UNCLEAR);
  const loose = { ...rules, pattern: String.raw`OK;(?<id>\d+)|(?<code>E)` };
  assert.deepEqual(sent(loose, `${'x'.repeat(4_000)}OK;12`), accepted('12'));
  assert.deepEqual(sent(loose, `${'x'.repeat(4_100)}OK;12`), UNCLEAR);
});

describe('a status', () => {
  const answer = {
    format: 'json',
    status: '/state',
    reason: '/why',
    statuses: {
      queued: 'sent',
      done: 'delivered',
      seen: 'read',
      lost: 'failed',
      late: { failed: 'Поздно' },
      wrong: { refused: 'Неверный номер' },
    },
    not_found: { '/state': ['none'], '/final': [true] },
  };
  const byReference = describeGate({
    answer: { format: 'json', accepted: { '/ok': [true] } },
    status: { url: 'https://a.kz/{{id}}', answer },
  });
  const known = (body: unknown, status = 200) =>
    readStatusAnswer(answered(body, status), byReference.status?.answer as never, {
      ownId: OWN_ID,
      providerId: 'p1',
    });

  test('is what the file says', () => {
    const isAccepted = { known: 'accepted', providerId: 'p1' };
    const failed = (reason: string) => ({ ...isAccepted, receipt: 'failed', reason });
    assert.deepEqual(known({ state: 'queued' }), isAccepted);
    assert.deepEqual(known({ state: 'done' }), { ...isAccepted, receipt: 'delivered' });
    assert.deepEqual(known({ state: 'seen' }), { ...isAccepted, receipt: 'read' });
    assert.deepEqual(known({ state: 'lost' }), failed('Провайдер не доставил сообщение'));
    assert.deepEqual(known({ state: 'lost', why: 'Нет\nсети' }), failed('Нет сети'));
    assert.deepEqual(known({ state: 'late', why: 'x' }), failed('Поздно'));
    assert.deepEqual(known({ state: 'wrong' }), { known: 'refused', reason: 'Неверный номер' });
    assert.deepEqual(known({ state: 'none', final: true }), { known: 'nothing' });
    assert.deepEqual(known({ state: 'none', final: true }, 404), { known: 'nothing' });
  });

  test('is unclear in any other answer', () => {
    const unclear = { known: 'unclear' };
    assert.deepEqual(known({ state: 'odd' }), unclear);
    assert.deepEqual(known({}), unclear);
    assert.deepEqual(known('<html>'), unclear);
    assert.deepEqual(known({ state: 'lost' }, 401), unclear);
    assert.deepEqual(known({ state: 'none' }), unclear);
    assert.deepEqual(known({ state: 'lost' }, 404), unclear);
    assert.deepEqual(known({ state: 'none', final: true }, 500), unclear);
  });
});

test('a status belongs to the message that was asked for', () => {
  const { status } = describeGate({
    status: {
      url: 'https://a.kz/{{id}}',
      answer: { format: 'json', status: '/s', statuses: { '1': 'delivered' }, id: '/id' },
    },
  });
  const known = (id: string | undefined, providerId: string | undefined) =>
    readStatusAnswer(answered({ s: 1, id }), status?.answer as never, {
      ownId: OWN_ID,
      providerId,
    });
  const delivered = { known: 'accepted', providerId: 'p1', receipt: 'delivered' };
  assert.deepEqual(known('p1', 'p1'), delivered);
  assert.deepEqual(known('p1', undefined), delivered);
  assert.deepEqual(known('p2', 'p1'), { known: 'unclear' });
  assert.deepEqual(known(undefined, 'p1'), { known: 'unclear' });
  assert.deepEqual(known(undefined, undefined), { known: 'unclear' });
});

test('a balance is read with its currency', () => {
  const parts = { url: 'https://a.kz/', answer: { format: 'json', amount: '/a', currency: 'KZT' } };
  const rules = describeGate({ balance: parts }).balance?.answer as never;
  assert.equal(readBalance(answered({ a: 12.5 }), rules), '12.5 KZT');
  assert.equal(readBalance(answered({ a: 'much' }), rules), undefined);
  assert.equal(readBalance(answered({ a: 12.5 }, 500), rules), undefined);
});
