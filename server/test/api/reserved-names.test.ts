/** No alias may look like an address of the service: the routes themselves say which there are. */
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Provider } from '../../src/channels/provider.ts';
import { createHttpServer } from '../../src/http/transport/server.ts';
import { isReserved } from '../../src/links/slug.ts';
import { useService } from '../harness.ts';

/** Every route that a server adds while it is built, as Fastify itself reports them. */
const serverPaths = new Set<string>();
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ url }) => void serverPaths.add(url));
});

const service = useService({ env: { SECURITY_CONTACT: 'mailto:security@zhiber.example' } });

/** It takes callbacks, so that there is a route for them. */
const PROVIDER: Provider = {
  name: 'provider',
  channel: 'sms',
  carries: new Set(['code']),
  receiptKey: 'none',
  deduplicates: false,
  canQueryByRef: false,
  send: () => Promise.reject(new Error('it sends nothing')),
  readCallback: () => undefined,
  check: () => Promise.reject(new Error('it has nothing to check')),
};

async function listServerPaths(): Promise<string[]> {
  const http = createHttpServer(service.ctx, service.sandbox, [PROVIDER], service.accounts);
  await http.ready();
  await http.close();
  return [...serverPaths];
}

/** The pages of the cabinet, with those below `/app`. */
function listWebPaths(): string[] {
  const file = new URL('../../../web/src/app/routes.ts', import.meta.url);
  const paths = [...readFileSync(file, 'utf8').matchAll(/\bpath: '([^']+)'/g)];
  return paths.map(([, path]) => path as string).filter((path) => !path.startsWith('$'));
}

/** The words of a path that an alias could have: `/docs/errors/:code` begins with `docs`. */
function firstWord(path: string): string {
  const [first = ''] = path.split('/').filter((part) => part !== '');
  return first.replace(/^\./, '').replace(/\.\w+$/, '');
}

/** Another spelling that reads the same. */
const SPELLINGS: Record<string, (word: string) => string> = {
  'as it is': (word) => word,
  'in capitals': (word) => word.toUpperCase(),
  'without its dashes': (word) => word.replaceAll('-', ''),
  'with underscores': (word) => word.replaceAll('-', '_'),
  'with a dash after the first letter': (word) => `${word[0]}-${word.slice(1)}`,
  'with 0 for o': (word) => word.replaceAll('o', '0'),
  'with 1 for i and l': (word) => word.replaceAll(/[il]/g, '1'),
  'with a capital I for l': (word) => word.replaceAll('l', 'I'),
  'with l for i': (word) => word.replaceAll('i', 'l'),
  'with 3 for e': (word) => word.replaceAll('e', '3'),
  'with 4 for a': (word) => word.replaceAll('a', '4'),
  'with 5 for s': (word) => word.replaceAll('s', '5'),
  'with 7 for t': (word) => word.replaceAll('t', '7'),
  'with rn for m': (word) => word.replaceAll('m', 'rn'),
  'with vv for w': (word) => word.replaceAll('w', 'vv'),
  'with cl for d': (word) => word.replaceAll('d', 'cl'),
};

function assertReserved(paths: readonly string[]): void {
  const words = new Set(paths.map(firstWord).filter((word) => word !== ''));
  const free = [...words].flatMap((word) =>
    Object.values(SPELLINGS)
      .map((spell) => spell(word))
      .filter((alias) => !isReserved(alias)),
  );
  assert.deepEqual(free, []);
}

test('every route of the server is reserved, in every spelling that reads the same', async () => {
  const paths = await listServerPaths();
  for (const known of ['/api/otp/send', '/assets/*', '/s/:slug', '/callbacks/provider', '/login']) {
    assert(paths.includes(known), `${known} is not in the list of routes`);
  }
  assertReserved(paths);
});

test('every page of the cabinet is reserved, in every spelling that reads the same', () => {
  const paths = listWebPaths();
  for (const known of ['/app', '/login', '/messages']) assert(paths.includes(known), known);
  assertReserved(paths);
});

for (const alias of [
  'l0gin',
  'log_in',
  'Sign-In',
  'SlGN-UP',
  'zhi-ber',
  'ZH1BER',
  'clocs',
  '4pi',
]) {
  test(`${alias} is refused as an alias`, async () => {
    const body = { url: 'https://example.kz', alias };
    const answer = await service.call('/links/shorten', body, await service.key());
    assert.equal(answer.status, 422);
  });
}

test('a name that only begins like a page is free', async () => {
  for (const alias of ['docs-2026', 'keys-of-summer', 'app-store', 'tryout']) {
    const body = { url: 'https://example.kz', alias };
    const answer = await service.call('/links/shorten', body, await service.key());
    assert.equal(answer.status, 200, alias);
  }
});
