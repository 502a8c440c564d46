import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readProviderFile } from './read-provider-file.ts';

const EXAMPLES = path.join(import.meta.dirname, '../../../../docs/provider-files');

/** A file without mistakes, in which a test changes something. */
function rightFile() {
  return {
    name: 'gate',
    channel: 'sms',
    send: {
      url: 'https://gate.example/send?key={{secret.GATE}}',
      json: { to: '{{phone:number}}', text: '{{text}}', id: '{{id}}' },
      answer: {
        format: 'json',
        accepted: { '/code': [0] },
        id: '/id',
        error: '/code',
        errors: { '7': { refused: 'Неверный номер' } },
      },
    },
    receipts: {
      format: 'form',
      id: 'id',
      status: 'status',
      statuses: { '1': 'delivered', '2': { failed: 'Не доставлено' } },
      path_secret: '{{secret.GATE_CALLBACK}}',
    },
  };
}

type Change = Readonly<Record<string, unknown>>;

/** The file with members replaced by their paths; undefined removes one. */
function changed(changes: Change): string {
  const file: Record<string, unknown> = rightFile();
  for (const [where, value] of Object.entries(changes)) {
    const steps = where.split('.');
    const last = steps.pop() as string;
    const parent = steps.reduce<Record<string, unknown>>((inside, step) => {
      inside[step] ??= {};
      return inside[step] as Record<string, unknown>;
    }, file);
    parent[last] = value;
  }
  return JSON.stringify(file);
}

const mistakesOf = (changes: Change) => readProviderFile(changed(changes)).mistakes;

test('a right file is described, with the names of its secrets', () => {
  const { description } = readProviderFile(changed({}));
  assert.equal(description?.name, 'gate');
  assert.deepEqual(description?.carries, ['code', 'code_with_link', 'text', 'broadcast']);
  assert.deepEqual(description?.secretNames, ['GATE', 'GATE_CALLBACK']);
  assert.equal(description?.send.request.method, 'POST');
  assert.equal(description?.send.request.origin, 'https://gate.example');
});

test('the examples of the documentation have no mistakes', () => {
  const files = globSync('*.json', { cwd: EXAMPLES });
  assert.equal(files.length, 3);
  for (const file of files) {
    const text = readFileSync(path.join(EXAMPLES, file), 'utf8');
    assert.deepEqual(readProviderFile(text).mistakes, undefined, file);
  }
});

test('all mistakes are reported at once', () => {
  const mistakes = mistakesOf({
    name: 'Gate',
    speed: 5,
    'send.json.to': '{{fone}}',
    'send.answer.errors': { '7': { refused: 'Wrong number' } },
    'receipts.status': undefined,
  });
  assert.deepEqual(
    mistakes?.map((mistake) => mistake.split(':')[0]),
    ['speed', 'name', 'send.json.to', 'send.answer.errors["7"].refused', 'receipts.status'],
  );
});

const XML_RECEIPTS = { 'receipts.id': '/@id', 'receipts.status': '/@status' };

const MISTAKES: Record<string, [Change, RegExp]> = {
  'no name': [{ name: undefined }, /^name: should be given$/],
  'a name that is no part of an address': [{ name: 'a/b' }, /^name: should be 1 to 40 of a-z/],
  'the name of a built-in provider': [
    { name: 'smpp-2' },
    /^name: should not be that of a built-in provider$/,
  ],
  'ids that repeat without a phone': [
    { ids_repeat: true },
    /^receipts: should read the "phone", because ids repeat$/,
  ],
  'an attribute as a list': [
    { 'receipts.format': 'xml', 'receipts.each': '/a/@b', ...XML_RECEIPTS },
    /^receipts\.each: should be a path of elements$/,
  ],
  'another channel': [{ channel: 'email' }, /^channel: should be whatsapp, telegram or sms/],
  'a content that files cannot have': [{ carries: ['group'] }, /^carries\[0\]: should be code/],
  'an empty list': [{ carries: [] }, /^carries: should not be empty$/],
  'a rate in words': [{ rate: '20' }, /^rate: should be a whole number from 1 to 10000$/],
  'more in flight than pass': [{ in_flight: 257 }, /^in_flight: should be .* from 1 to 256$/],
  'an address without a scheme': [{ 'send.url': 'gate.example/send' }, /^send\.url: should be an/],
  'a login in the address': [{ 'send.url': 'https://a:b@gate.example/' }, /^send\.url: should be/],
  'a placeholder for the host': [{ 'send.url': 'https://{{secret.H}}/' }, /^send\.url: should be/],
  'an address that is not encoded': [{ 'send.url': 'https://a.kz/я' }, /only ASCII/],
  'a text in the path': [{ 'send.url': 'https://a.kz/{{text}}' }, /has \{\{text\}\} in its path/],
  'what may be missing in the address': [
    { 'send.url': 'https://a.kz/?s={{sender}}' },
    /^send\.url: has \{\{sender\}\}, which some messages do not have/,
  ],
  'two bodies': [{ 'send.form': { a: 'b' } }, /^send: should have one of form, json, xml or text$/],
  'a body of a GET': [{ 'send.method': 'GET' }, /^send\.method: should be POST with a body$/],
  'another method': [{ 'send.method': 'PUT' }, /^send\.method: should be GET or POST/],
  'a header of the connection': [{ 'send.headers': { Host: 'a' } }, /set by the service itself/],
  'a login in a header': [{ 'send.headers': { Authorization: 'a' } }, /"basic" or "bearer"/],
  'a text in a header': [
    { 'send.headers': { 'x-text': '{{text}}' } },
    /cannot be escaped: write \{\{text:url\}\}/,
  ],
  'a line break in a header': [{ 'send.headers': { a: 'x\r\ny: z' } }, /only ASCII characters/],
  'two logins': [
    { 'send.basic': { user: 'a', password: 'b' }, 'send.bearer': 'c' },
    /^send\.bearer: should not be given together with "basic"$/,
  ],
  'a colon in a login': [{ 'send.basic': { user: 'a:b', password: 'c' } }, /should have no colon/],
  'a placeholder that is not closed': [{ 'send.json.text': '{{text}' }, /brackets that are not a/],
  'an unknown encoding': [{ 'send.json.text': '{{text:hex}}' }, /should end with :url or base64/],
  'a small secret': [
    { 'send.json.key': '{{secret.gate}}' },
    /like \{\{secret\.GATEWAY_PASSWORD\}\}/,
  ],
  'a number that is none': [{ 'send.json.to': '{{text:number}}' }, /only phone, ttl_minutes or/],
  'a placeholder in a name': [
    { 'send.json': { '{{phone}}': '{{text}}' } },
    /no placeholder in its/,
  ],
  'no recipient': [{ 'send.json.to': '1' }, /^send: should send \{\{phone\}\} or/],
  'no text': [{ 'send.json.text': 'x' }, /^send: should send \{\{text\}\} or \{\{code\}\}$/],
  'texts without a place for them': [
    { 'send.json.text': '{{code}}' },
    /^carries: should not have code_with_link, text, broadcast without \{\{text\}\}$/,
  ],
  'no sign of an acceptance': [
    { 'send.answer.accepted': undefined, 'send.answer.id': undefined, receipts: undefined },
    /^send\.answer: should have "accepted", "id" or "reference"/,
  ],
  'receipts by an id that is not read': [
    { 'send.answer.id': undefined },
    /^receipts: needs the id of the provider/,
  ],
  'repetitions that nothing shows': [
    { 'send.repeats_ignored': true, 'send.json.id': undefined },
    /^send: should send \{\{id\}\}, which shows a repetition/,
  ],
  'a pointer without a slash': [
    { 'send.answer.id': 'id' },
    /^send\.answer\.id: should be a JSON P/,
  ],
  'a pattern for JSON': [{ 'send.answer.pattern': 'x' }, /is only for the format text$/],
  'a pattern that is not supported': [
    { 'send.answer': { format: 'text', pattern: '(?=a)', id: 'id' } },
    /^send\.answer\.pattern: cannot be used: /,
  ],
  'a group that the pattern lacks': [
    { 'send.answer': { format: 'text', pattern: '(?<no>\\d+)', id: 'id' } },
    /^send\.answer\.id: should be the name of a group of the pattern, such as no$/,
  ],
  'a path that XPath would understand': [
    { 'send.answer': { format: 'xml', id: '//sms/@id' } },
    /^send\.answer\.id: should be a path like/,
  ],
  'a meaning that is none': [
    { 'send.answer.errors': { '7': { accepted: 'Да' } } },
    /^send\.answer\.errors\["7"\]: should be like/,
  ],
  'a reason in English': [
    { 'send.answer.errors': { '7': { refused: 'No' } } },
    /should be Russian: customers read it/,
  ],
  'a reason of two lines': [
    { 'send.answer.errors': { '7': { refused: 'Нет\nи нет' } } },
    /should be one line/,
  ],
  'errors without their place': [{ 'send.answer.error': undefined }, /without "error", which says/],
  'a status of a server that fails': [
    { 'send.answer.http': { '503': { refused: 'Нет' } } },
    /^send\.answer\.http: should have statuses from 400 to 499 except 408, not "503"$/,
  ],
  'a time-out that refuses': [{ 'send.answer.http': { '408': { refused: 'Нет' } } }, /except 408/],
  'an SMS that was read': [{ 'receipts.statuses': { '1': 'read' } }, /should be "delivered"/],
  'a receipt of something unknown': [
    { 'receipts.statuses': { '1': 'not_found' } },
    /^receipts\.statuses\["1"\]: should be sent, delivered, read or failed/,
  ],
  'a receipt that refuses': [
    { 'receipts.statuses': { '1': { refused: 'Нет' } } },
    /^receipts\.statuses\["1"\]: should be sent, delivered, read or \{"failed"/,
  ],
  'receipts that anybody can forge': [
    { 'receipts.path_secret': undefined },
    /^receipts: should have either "path_secret" or "signature": anybody could forge a receipt$/,
  ],
  'a secret in the file': [
    { 'receipts.path_secret': 'abc' },
    /^receipts\.path_secret: should be a secret and nothing else/,
  ],
  'two identities': [{ 'receipts.reference': 'ref' }, /^receipts: should have either "id"/],
  'a list in a form': [{ 'receipts.each': 'x' }, /^receipts\.each: is only for json and xml$/],
  'a question without an id': [
    { status: { url: 'https://a.kz/', answer: STATUS_ANSWER() } },
    /^status: should ask either by \{\{id\}\}/,
  ],
  'a question by our id without the id of the provider': [
    { status: { url: 'https://a.kz/{{id}}', answer: STATUS_ANSWER() } },
    /^status: should read the "id" of the provider/,
  ],
  'an id of the provider that it does not know': [
    {
      status: {
        url: 'https://a.kz/{{provider_id}}',
        answer: { ...STATUS_ANSWER(), not_found: { '/status': ['no'] } },
      },
    },
    /^status: can have "not_found" only when it asks by \{\{id\}\}/,
  ],
};

function STATUS_ANSWER() {
  return { format: 'json', status: '/status', statuses: { ok: 'delivered' } };
}

describe('a mistake', () => {
  for (const [name, [change, expected]] of Object.entries(MISTAKES)) {
    test(name, () => {
      const mistakes = mistakesOf(change);
      assert.equal(mistakes?.length, 1, String(mistakes));
      assert.match(mistakes[0] ?? '', expected);
    });
  }

  test('in the JSON itself is named with its line', () => {
    const { mistakes } = readProviderFile('{\n  "name": "gate",\n}');
    assert.match(String(mistakes), /^the file: should be JSON: .*line 3 column 1/);
  });

  test('is a name that stands twice in one object', () => {
    const errors =
      '"errors": {"7": {"refused": "Да"},\n "8": {"refused": "\\"7\\": {"},\n "7": {"refused": "Нет"}}';
    const text = changed({}).replace('"errors":{"7":{"refused":"Неверный номер"}}', errors);
    const { mistakes } = readProviderFile(text);
    assert.equal(mistakes?.length, 2, String(mistakes));
    assert.equal(mistakes[0], 'the file: has "7" a second time in the same object, in line 3');
    assert.match(mistakes[1] ?? '', /errors\["8"\]\.refused: should be Russian/);
  });

  test('is anything that is not an object', () => {
    for (const text of ['[]', '"x"', 'null', '1']) {
      assert.deepEqual(readProviderFile(text).mistakes, ['the file: should be an object: {…}']);
    }
  });
});

describe('a signature', () => {
  const signed = (signature: object) =>
    mistakesOf({ 'receipts.path_secret': undefined, 'receipts.signature': signature });
  const RIGHT = {
    algorithm: 'md5',
    over: '{{id}}:{{status}}:{{secret.SIGN}}',
    place: 'sign',
  };

  test('of the fields and a secret is right', () => assert.equal(signed(RIGHT), undefined));

  test('that does not cover the status would let it be changed', () => {
    assert.deepEqual(signed({ ...RIGHT, over: '{{id}}:{{secret.SIGN}}' }), [
      'receipts.signature: should be over the status as well',
    ]);
  });

  test('without a secret could be computed by anybody', () => {
    for (const over of ['{{id}}{{status}}', 'body']) {
      assert.match(String(signed({ ...RIGHT, over })), /over: should have a secret/);
    }
  });

  test('by an HMAC needs a key that is a secret', () => {
    const hmac = { algorithm: 'hmac-sha256', over: 'body', header: 'X-Sign' };
    assert.match(String(signed(hmac)), /^receipts\.signature\.key: should be given$/);
    assert.match(String(signed({ ...hmac, key: 'abc' })), /key: should be a secret/);
    assert.equal(signed({ ...hmac, key: '{{secret.SIGN}}' }), undefined);
  });

  test('over fields cannot cover several receipts', () => {
    const mistakes = mistakesOf({
      'receipts.format': 'json',
      'receipts.each': '/list',
      'receipts.id': '/id',
      'receipts.status': '/status',
      'receipts.path_secret': undefined,
      'receipts.signature': { ...RIGHT, over: '{{/id}}{{/status}}{{secret.SIGN}}', place: '/sign' },
    });
    assert.deepEqual(mistakes, [
      'receipts.signature: should be over the body when there are several receipts',
    ]);
  });

  test('over the body of a GET would cover nothing', () => {
    const mistakes = mistakesOf({
      'receipts.format': 'query',
      'receipts.path_secret': undefined,
      'receipts.signature': {
        algorithm: 'hmac-sha1',
        key: '{{secret.SIGN}}',
        over: 'body',
        place: 'sign',
      },
    });
    assert.deepEqual(mistakes, ['receipts.signature: should not be over the body, which is empty']);
  });
});

describe('XML', () => {
  const xml = (text: unknown) => mistakesOf({ 'send.json': undefined, 'send.xml': text });
  const BODY = '<r id="{{id}}" to="{{phone}}">{{text}}</r>';

  test('may be written in lines', () => {
    assert.equal(xml(['<?xml version="1.0" encoding="UTF-8"?>', BODY]), undefined);
  });

  const WRONG: Record<string, RegExp> = {
    '<r to="{{phone}}">\ue000{{text}}{{id}}</r>': /a character of a private area of Unicode/,
    '<r to="{{phone}}">{{text}}{{id}}': /should be well-formed XML/,
    '<r to={{phone}}>{{text}}{{id}}</r>': /should be well-formed XML/,
    '<{{phone}}>{{text}}{{id}}</{{phone}}>': /should be well-formed XML/,
    '<r to="{{phone}}"><!-- {{text}} -->{{id}}</r>': /has \{\{text\}\} where it is neither/,
    '<?x {{phone}}?><r>{{text}}{{id}}</r>': /has \{\{phone\}\} where it is neither/,
    '<r to="{{phone}}"><![CDATA[{{text}}]]>{{id}}</r>': /should have no CDATA/,
    '<?xml version="1.0" encoding="windows-1251"?><r to="{{phone}}">{{text}}{{id}}</r>':
      /declares the encoding windows-1251/,
  };
  for (const [text, expected] of Object.entries(WRONG)) {
    test(`${text} is wrong`, () => assert.match(String(xml(text)), expected));
  }
});

test('a text body escapes nothing, so free text stands alone or is encoded', () => {
  const text = (body: string) =>
    mistakesOf({
      'send.json': undefined,
      'send.url': 'https://a.kz/?to={{phone}}&id={{id}}',
      'send.text': body,
    });
  assert.equal(text('{{text}}'), undefined);
  assert.equal(text('to={{phone}}&text={{text:url}}'), undefined);
  assert.match(
    String(text('to={{phone}}&text={{text}}')),
    /^send\.text: has \{\{text\}\} where it/,
  );
});
