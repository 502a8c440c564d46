import {
  chunked,
  chunkedHeaders,
  GOOD_BODY,
  goodHeaders,
  type RawCase,
  request,
} from './raw-case.ts';

const LENGTH = `Content-Length: ${GOOD_BODY.length}`;

/** A valid request with an additional header line. */
const withLine = (line: string) => (key: string) => request(key, { more: [line] });
/** A valid request with other length headers. */
const withLength =
  (...lines: string[]) =>
  (key: string) =>
    request(key, { headers: [...goodHeaders(key), ...lines] });
const inChunks = (text: string) => (key: string) =>
  Buffer.concat([request(key, { headers: chunkedHeaders(key), body: '' }), Buffer.from(text)]);

const BROKEN = { expects: 'validation_error', closesConnection: true } as const;

/** Framing that two parsers could read differently is refused, and the connection closed. */
export const FRAMING: readonly RawCase[] = [
  { name: 'a valid request', bytes: (key) => request(key), expects: 'ok' },
  { name: 'a valid request in chunks', bytes: (key) => chunked(key, GOOD_BODY, 5), expects: 'ok' },
  {
    name: 'a length and chunks',
    bytes: withLength('Content-Length: 4', 'Transfer-Encoding: chunked'),
    ...BROKEN,
  },
  {
    name: 'chunks and a length',
    bytes: withLength('Transfer-Encoding: chunked', 'Content-Length: 4'),
    ...BROKEN,
  },
  { name: 'two lengths', bytes: withLength(LENGTH, 'Content-Length: 5'), ...BROKEN },
  { name: 'the same length twice', bytes: withLength(LENGTH, LENGTH), ...BROKEN },
  { name: 'a list of lengths', bytes: withLength('Content-Length: 37, 37'), ...BROKEN },
  { name: 'a negative length', bytes: withLength('Content-Length: -1'), ...BROKEN },
  { name: 'a length with a plus', bytes: withLength('Content-Length: +37'), ...BROKEN },
  { name: 'a length in hexadecimal', bytes: withLength('Content-Length: 0x25'), ...BROKEN },
  {
    name: 'a length past 64 bits',
    bytes: withLength(`Content-Length: ${2n ** 64n + 1n}`),
    ...BROKEN,
  },
  { name: 'xchunked', bytes: withLength('Transfer-Encoding: xchunked'), ...BROKEN },
  {
    name: 'chunked, but not last',
    bytes: withLength('Transfer-Encoding: chunked, identity'),
    ...BROKEN,
  },
  { name: 'chunked with a tab', bytes: withLength('Transfer-Encoding:\vchunked'), ...BROKEN },
  { name: 'a space before the colon', bytes: withLine('X-Odd : 1'), ...BROKEN },
  { name: 'a header on two lines', bytes: withLine('X-Odd: 1\r\n 2'), ...BROKEN },
  { name: 'a header without a colon', bytes: withLine('X-Odd'), ...BROKEN },
  { name: 'a header without a name', bytes: withLine(': 1'), ...BROKEN },
  { name: 'a bare carriage return', bytes: withLine('X-Odd: 1\rX-Other: 2'), ...BROKEN },
  { name: 'a NUL in a header', bytes: withLine('X-Odd: a\0b'), ...BROKEN },
  { name: 'a NUL in a name', bytes: withLine('X-\0Odd: a'), ...BROKEN },
  {
    name: 'bare line feeds',
    bytes: (key) => request(key).toString('latin1').replaceAll('\r\n', '\n'),
    ...BROKEN,
  },
  {
    name: 'a header of 17 KB',
    bytes: withLine(`X-Odd: ${'x'.repeat(17_000)}`),
    expects: 'payload_too_large',
    closesConnection: true,
  },
  {
    name: 'headers of 17 KB',
    bytes: withLine('x:y\r\n'.repeat(3_400).trimEnd()),
    expects: 'payload_too_large',
    closesConnection: true,
  },
  {
    name: 'a path of 17 KB',
    bytes: (key) => request(key, { path: `/api/${'x'.repeat(17_000)}` }),
    expects: 'payload_too_large',
    closesConnection: true,
  },
  {
    name: 'no Host',
    bytes: (key) => request(key, { headers: [...goodHeaders(key).slice(1), LENGTH] }),
    expects: 'validation_error',
  },
  { name: 'two Hosts', bytes: withLine('Host: evil.kz'), expects: 'validation_error' },
  { name: 'two keys', bytes: withLine('Authorization: Bearer x'), expects: 'invalid_api_key' },
  { name: 'a chunk without a valid size', bytes: inChunks('zz\r\n'), ...BROKEN },
  { name: 'a chunk of a negative size', bytes: inChunks('-1\r\n'), ...BROKEN },
  { name: 'a chunk past 64 bits', bytes: inChunks('fffffffffffffffff\r\n'), ...BROKEN },
  {
    name: 'a chunk longer than its size',
    bytes: inChunks(`3\r\n${GOOD_BODY}\r\n0\r\n\r\n`),
    ...BROKEN,
  },
  {
    name: 'chunks that end half-way',
    bytes: inChunks('25\r\n{"url"'),
    halfCloses: true,
    ...BROKEN,
  },
  {
    name: 'a body that ends half-way',
    bytes: withLength('Content-Length: 1000'),
    halfCloses: true,
    ...BROKEN,
  },
  {
    name: 'headers that end half-way',
    bytes: () => 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Od',
    halfCloses: true,
    ...BROKEN,
  },
  {
    name: 'trailers that repeat headers are ignored',
    bytes: inChunks(`25\r\n${GOOD_BODY}\r\n0\r\nAuthorization: Bearer x\r\nHost: evil.kz\r\n\r\n`),
    expects: 'ok',
  },
  {
    name: 'a valid request and then junk get separate answers',
    bytes: (key) => Buffer.concat([request(key), Buffer.from('\0\0junk\r\n\r\n')]),
    expects: ['ok', 'validation_error'],
    closesConnection: true,
  },
  {
    name: 'a length that is too short: the remaining bytes are not a request',
    bytes: withLength('Content-Length: 5'),
    expects: ['invalid_json'],
    closesConnection: true,
  },
  {
    name: 'a smuggled request behind a length that is too short',
    bytes: smuggled,
    expects: ['ok', 'missing_api_key'],
  },
];

/** Bytes after a request are a separate request, which does not inherit the key. */
function smuggled(key: string): Buffer {
  const hidden = 'POST /api/otp/send HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}';
  return Buffer.concat([request(key), Buffer.from(hidden)]);
}

const line =
  (first: string, ...headers: string[]) =>
  () =>
    `${[first, ...headers].join('\r\n')}\r\n\r\n`;

/** Other protocols, other versions and invalid request lines. */
export const REQUEST_LINES: readonly RawCase[] = [
  { name: 'not HTTP at all', bytes: () => 'hello\r\n\r\n', ...BROKEN },
  {
    name: 'a TLS greeting',
    bytes: () => Buffer.from(`16030100f8010000f40303${'5a'.repeat(64)}`, 'hex'),
    ...BROKEN,
  },
  { name: 'an SSH greeting', bytes: () => 'SSH-2.0-OpenSSH_9.6\r\n', ...BROKEN },
  { name: 'a PostgreSQL greeting', bytes: () => Buffer.from('0000000804d2162f', 'hex'), ...BROKEN },
  { name: 'HTTP/2 from the start', bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ...BROKEN },
  { name: 'HTTP/0.9', bytes: () => 'GET /api/health\r\n', halfCloses: true, ...BROKEN },
  {
    name: 'HTTP/1.0 without a Host',
    bytes: line('GET /api/health HTTP/1.0'),
    expects: 'ok',
    closesConnection: true,
  },
  { name: 'HTTP/1.2', bytes: line('GET /api/health HTTP/1.2', 'Host: localhost'), ...BROKEN },
  { name: 'HTTP/9.9', bytes: line('GET /api/health HTTP/9.9', 'Host: localhost'), ...BROKEN },
  {
    name: 'an unknown method',
    bytes: line('HACK /api/health HTTP/1.1', 'Host: localhost'),
    ...BROKEN,
  },
  {
    name: 'a method in lower case',
    bytes: line('get /api/health HTTP/1.1', 'Host: localhost'),
    ...BROKEN,
  },
  {
    name: 'two spaces',
    bytes: line('GET  /api/health HTTP/1.1', 'Host: localhost'),
    expects: 'ok',
  },
  {
    name: 'bytes past ASCII in the path',
    bytes: () => 'GET /api/қалайсың HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ...BROKEN,
  },
  { name: 'a NUL in the path', bytes: line('GET /api/\0 HTTP/1.1', 'Host: localhost'), ...BROKEN },
  {
    name: 'empty lines first',
    bytes: (key) => Buffer.concat([Buffer.from('\r\n\r\n'), request(key)]),
    expects: 'ok',
  },
  {
    name: 'CONNECT',
    bytes: line('CONNECT bank.kz:443 HTTP/1.1', 'Host: bank.kz:443'),
    expects: 'method_not_allowed',
    closesConnection: true,
  },
  {
    name: 'OPTIONS for the whole server',
    bytes: line('OPTIONS * HTTP/1.1', 'Host: localhost'),
    expects: 'not_found',
  },
  {
    name: 'an upgrade to WebSocket is not followed',
    bytes: line(
      'GET /api/health HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
    ),
    expects: 'ok',
  },
  {
    name: 'an upgrade to HTTP/2 is not followed',
    bytes: line(
      'GET /api/health HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ),
    expects: 'ok',
  },
  { name: 'an unknown expectation', bytes: withLine('Expect: a-miracle'), expects: 'ok' },
  {
    name: 'Expect: 100-continue with a body too large is refused without asking for it',
    bytes: (key) =>
      request(key, {
        headers: [...goodHeaders(key), 'Content-Length: 1000000', 'Expect: 100-continue'],
        body: '',
      }),
    expects: 'payload_too_large',
    closesConnection: true,
  },
];

const at = (path: string) => (key: string) => request(key, { path });

/** Other spellings of a path either reach the endpoint and need a key, or get 404. */
export const PATHS: readonly RawCase[] = [
  ...[
    '//api/links/shorten',
    '/api//links/shorten',
    '/api/links/shorten/',
    '/api/%2e%2e/links/shorten',
    '/api/../api/links/shorten',
    '/api/./links/shorten',
    '/api%2flinks/shorten',
    '/api/links%2fshorten',
    '/api/links%5cshorten',
    '/API/links/shorten',
    '/api/links/shorten%00',
    '/api/links/shorten%',
    '/api/links/shorten%zz',
    '/api/links/shorten%ff',
    '/api/links/shorten%c0%af',
    '/api/links/shorten;a=1',
    '/api/links/shorten.json',
    `/api/${'x'.repeat(8_000)}`,
    `/api${'/x'.repeat(4_000)}`,
    '/api',
    '/api/',
    '/api/__proto__',
    '/api/constructor',
  ].map((path): RawCase => ({ name: path.slice(0, 40), bytes: at(path), expects: 'not_found' })),
  ...[
    '/api/links/shorten?x=%zz&__proto__[a]=1',
    '/api/links/%73horten',
    'http://evil.kz/api/links/shorten',
  ].map((path): RawCase => ({ name: path, bytes: at(path), expects: 'ok' })),
  {
    name: 'another spelling does not bypass the key',
    bytes: () =>
      request('', { path: '/api/%6cinks/shorten', headers: ['Host: localhost', LENGTH] }),
    expects: 'missing_api_key',
  },
  {
    name: 'an absolute URL does not bypass the key',
    bytes: () =>
      request('', { path: 'http://x/api/links/shorten', headers: ['Host: localhost', LENGTH] }),
    expects: 'missing_api_key',
  },
];
