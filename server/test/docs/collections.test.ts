/** The Postman collection and the `.http` file: every request of them works with a test key. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { insertGroup } from '../../src/groups/group-store.ts';
import { checkAnswer } from '../check-answer.ts';
import { freePort } from '../free-port.ts';
import { useService } from '../harness.ts';

/** The part of Postman's own library that is used here. It comes without types. */
type Variables = {
  upsert(variable: { key: string; value: string }): void;
  replace(text: string): string;
};
type Item = {
  name: string;
  request: { toObjectResolved(scope: Collection, overrides: object[], options: object): object };
  responses: { count(): number; idx(index: number): { code: number; body: string } };
  getAuth(): { type: string; parameters(): { get(name: string): string } } | undefined;
};
type Collection = { variables: Variables; forEachItem(visit: (item: Item) => void): void };
type Request = {
  method: string;
  url: object;
  headers: { map<T>(convert: (header: { key: string; value: string }) => T): T[] };
  body?: { isEmpty(): boolean; toString(): string };
};
type Postman = {
  Collection: new (json: unknown) => Collection;
  Request: new (json: object) => Request;
};
const postman = createRequire(import.meta.url)('postman-collection') as Postman;

const port = await freePort();
const siteUrl = `http://localhost:${port}`;
const service = useService();

/** In the order of a reader, who sends a code before verifying it. */
const REQUESTS = [
  'POST /api/otp/send',
  'POST /api/otp/verify',
  'POST /api/links/shorten',
  'POST /api/links/send',
  'POST /api/group/send',
  'GET /api/health',
  'GET /sandbox/messages',
  'DELETE /sandbox/messages',
];

async function testKey(): Promise<string> {
  if (!service.http.server.listening) {
    service.ctx.urls.publicUrl = siteUrl;
    await service.http.listen({ port, host: 'localhost' });
  }
  const { key, companyId } = await service.key({ isTest: true });
  const group = { companyId, channel: 'telegram', name: 'Дежурные', chatId: '-1001' } as const;
  await insertGroup(service.ctx.db, group);
  return key;
}

type Call = { method: string; url: string; headers: Record<string, string>; body?: string };

async function assertWorks({ method, url, headers, body }: Call): Promise<string> {
  const init = { method, headers, ...(body !== undefined && { body }) };
  const response = await fetch(url, init);
  const answer = (await response.json()) as Record<string, unknown>;
  const { pathname } = new URL(url);
  assert.equal(response.status, 200, `${method} ${url}: ${JSON.stringify(answer)}`);
  assert.equal(answer.success, true, pathname);
  const path = pathname.replace(/^\/api/, '');
  const got = Object.fromEntries(response.headers);
  checkAnswer({ path, method, status: response.status, body: answer, headers: got });
  return `${method} ${pathname}`;
}

test('every request of the Postman collection works once the key is filled in', async () => {
  const key = await testKey();
  const answer = await service.http.inject('/docs/postman.json');
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  const { schema } = answer.json().info;
  assert.equal(schema, 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  const collection = new postman.Collection(answer.json());
  collection.variables.upsert({ key: 'apiKey', value: key });
  const items: Item[] = [];
  collection.forEachItem((item) => items.push(item));
  const sent: string[] = [];
  for (const item of items) sent.push(await assertWorks(resolveItem(item, collection)));
  assert.deepEqual(sent, REQUESTS);
  for (const item of items) {
    assert(item.responses.count() > 0, item.name);
    const first = item.responses.idx(0);
    assert.equal(first.code, 200);
    assert.equal(JSON.parse(first.body).success, true);
  }
});

/** As Postman sends it: with the variables of the collection and its authorization. */
function resolveItem(item: Item, collection: Collection): Call {
  const { variables } = collection;
  const request = new postman.Request(item.request.toObjectResolved(collection, [], {}));
  const headers = Object.fromEntries(request.headers.map((header) => [header.key, header.value]));
  const auth = item.getAuth();
  if (auth?.type === 'bearer') {
    const token = auth.parameters().get('token');
    headers.Authorization = `Bearer ${variables.replace(token)}`;
  }
  const body = request.body?.isEmpty() === false ? { body: request.body.toString() } : {};
  return { method: request.method, url: String(request.url), headers, ...body };
}

test('every request of the .http file works once the key is filled in', async () => {
  const key = await testKey();
  const answer = await service.http.inject('/docs/zhiber.http');
  assert.match(String(answer.headers['content-type']), /^text\/plain; charset=utf-8/);
  const sent: string[] = [];
  for (const call of readHttpFile(answer.payload.replace('YOUR_TEST_KEY', key))) {
    sent.push(await assertWorks(call));
  }
  assert.deepEqual(sent, REQUESTS);
});

/**
 * The part of the format that REST Client and JetBrains have in common, and not a line more: file
 * variables, `###` before a request, comments, the request line, headers, an empty line, the body.
 */
function readHttpFile(text: string): Call[] {
  const [head = '', ...parts] = text.split(/^### .+\n/m);
  const variables = new Map<string, string>();
  for (const line of head.split('\n').filter((one) => one !== '')) {
    const [, name = '', value = ''] = /^@(\w+) = (\S+)$/.exec(line) ?? assert.fail(line);
    variables.set(name, value);
  }
  const fill = (line: string) =>
    line.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = variables.get(name);
      assert(value !== undefined, `{{${name}}} is not defined`);
      return value;
    });
  return parts.map((part) => {
    const [top = '', ...rest] = part.trimEnd().split('\n\n');
    const lines = top.split('\n');
    assert.match(lines[0] ?? '', /^# @name \w+$/);
    const requestLine = /^(GET|POST|DELETE) (\S+)$/.exec(fill(lines[1] ?? ''));
    assert(requestLine, lines[1]);
    const [, method = '', url = ''] = requestLine;
    const headers = lines.slice(2).map((line) => {
      const [, name = '', value = ''] = /^([\w-]+): (.+)$/.exec(fill(line)) ?? assert.fail(line);
      return [name, value];
    });
    const body = rest.length > 0 ? { body: rest.join('\n\n') } : {};
    return { method, url, headers: Object.fromEntries(headers), ...body };
  });
}

test('the collections come in the language of the reader', async () => {
  const read = async (url: string) => (await service.http.inject(url)).payload;
  assert.match(await read('/docs/zhiber.http?lang=en'), /^### Send a one-time code$/m);
  assert.match(await read('/docs/zhiber.http?lang=kk'), /^### Бір реттік код жіберу$/m);
  assert.match(await read('/docs/postman.json'), /"name": "Отправить одноразовый код"/);
});
