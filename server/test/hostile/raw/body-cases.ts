import { gzipSync } from 'node:zlib';
import { BODY_BYTES_MAX } from '@zhiber/contract/api/limits.ts';
import { chunked, type Expected, GOOD_BODY, type RawCase, request } from './raw-case.ts';

const URL_FIELD = '"url":"https://example.kz/order/42"';
const post = (body: string | Buffer, expects: Expected, name?: string): RawCase => ({
  name: name ?? String(body).slice(0, 60),
  bytes: (key) => request(key, { body }),
  expects,
});
const padded = (bytes: number) => {
  const empty = `{${URL_FIELD},"pad":""}`;
  return `{${URL_FIELD},"pad":"${'x'.repeat(bytes - empty.length)}"}`;
};
const nested = (depth: number, open: string, close: string) =>
  `{${URL_FIELD},"x":${open.repeat(depth)}1${close.repeat(depth)}}`;

export const SIZES: readonly RawCase[] = [
  post(padded(BODY_BYTES_MAX), 'ok', 'a body of exactly the limit'),
  ...[1, 1_000, 100_000].map(
    (over): RawCase => ({
      name: `a body ${over} bytes over the limit`,
      bytes: (key) => request(key, { body: padded(BODY_BYTES_MAX + over) }),
      expects: 'payload_too_large',
      closesConnection: true,
    }),
  ),
  {
    name: 'the limit in chunks',
    bytes: (key) => chunked(key, padded(BODY_BYTES_MAX)),
    expects: 'ok',
  },
  {
    name: 'one byte over the limit in chunks',
    bytes: (key) => chunked(key, padded(BODY_BYTES_MAX + 1)),
    expects: 'payload_too_large',
    closesConnection: true,
  },
  {
    name: 'chunks of one byte',
    bytes: (key) => chunked(key, padded(4_000), 1),
    expects: 'ok',
  },
];

export const SHAPES: readonly RawCase[] = [
  post(nested(7, '[', ']'), 'ok', 'eight levels'),
  post(nested(8, '[', ']'), 'invalid_json', 'nine levels'),
  post(nested(8_000, '[', ']'), 'invalid_json', '8,000 arrays'),
  post(nested(2_000, '{"a":', '}'), 'invalid_json', '2,000 objects'),
  post('['.repeat(16_000), 'invalid_json', '16,000 arrays that never end'),
  post('{"a":'.repeat(3_000), 'invalid_json', '3,000 objects that never end'),
  {
    ...post(nested(100_000, '[', ']'), 'payload_too_large', '100,000 levels'),
    closesConnection: true,
  },
  {
    ...post(nested(1_000_000, '[', ']'), 'payload_too_large', '1,000,000 levels'),
    closesConnection: true,
  },
  post(`{"url":"javascript:alert(1)",${URL_FIELD}}`, 'ok', 'a field twice: the last one counts'),
  post(
    `{${URL_FIELD},"url":"javascript:alert(1)"}`,
    'invalid_url',
    'a field twice, the last one bad',
  ),
  post(`{${URL_FIELD},"__proto__":{"alias":"polluted-1"}}`, 'ok'),
  post(`{${URL_FIELD},"constructor":{"prototype":{"alias":"polluted-2"}}}`, 'ok'),
  post(`{"__proto__":{${URL_FIELD}}}`, 'validation_error'),
  post(`{"__proto__":null,"hasOwnProperty":1,"toString":2,"toJSON":3}`, 'validation_error'),
  post('', 'invalid_json', 'nothing'),
  post(' ', 'invalid_json', 'a space'),
  post('null', 'invalid_json'),
  post('[]', 'invalid_json'),
  post('"text"', 'invalid_json'),
  post('NaN', 'invalid_json'),
  post(`{${URL_FIELD}`, 'invalid_json'),
  post(`{${URL_FIELD}}}`, 'invalid_json'),
  post(`{${URL_FIELD}}\0`, 'invalid_json'),
  post(`/**/{${URL_FIELD}}`, 'invalid_json'),
  post(`{url:'https://example.kz'}`, 'invalid_json'),
];

const bytes = (...values: number[]) =>
  Buffer.concat([
    Buffer.from('{"url":"https://example.kz/'),
    Buffer.from(values),
    Buffer.from('"}'),
  ]);

export const TEXTS: readonly RawCase[] = [
  post('{"url":"https://example.kz/\\u0000"}', 'invalid_json'),
  post('{"url":"https://example.kz/","x":"\\u0000"}', 'invalid_json'),
  post('{"url":"https://example.kz/\0"}', 'invalid_json', 'an unescaped NUL'),
  post('{"url":"https://example.kz/\\ud800"}', 'invalid_json'),
  post('{"url":"https://example.kz/\\udfff"}', 'invalid_json'),
  post('{"url":"https://example.kz/\\udfff\\ud800"}', 'invalid_json'),
  post('{"url":"https://example.kz/\\ud83d\\ude00"}', 'ok'),
  post(`{${URL_FIELD},"\\u0000":1,"\\ud800":2}`, 'ok'),
  post(bytes(0xff), 'invalid_json', 'a byte that is invalid in UTF-8'),
  post(bytes(0xc0, 0xaf), 'invalid_json', 'an overlong slash'),
  post(bytes(0xed, 0xa0, 0x80), 'invalid_json', 'a lone surrogate in UTF-8'),
  post(bytes(0xe2, 0x82), 'invalid_json', 'a truncated character'),
  post(bytes(0xf5, 0x80, 0x80, 0x80), 'invalid_json', 'beyond the last code point'),
  post(Buffer.concat([Buffer.from('\ufeff'), Buffer.from(GOOD_BODY)]), 'ok', 'a byte order mark'),
  ...purposes(['\\u0000', '\\ud800'], 'invalid_json'),
  ...purposes(['', '\\n', '\\u0007', '\\u2028', '\\u0085', 'x'.repeat(65)], 'validation_error'),
  ...purposes(['\u202e', '👩‍👩‍👧‍👦', 'ﷺ'.repeat(64), "'; drop table code; --"], 'code_not_found'),
];

function purposes(texts: readonly string[], expects: Expected): RawCase[] {
  return texts.map((text) => ({
    name: `a purpose of ${JSON.stringify(text).slice(0, 30)}`,
    bytes: (key) =>
      request(key, {
        path: '/api/otp/verify',
        body: `{"phone":"+77019990000","code":"123456","purpose":"${text}"}`,
      }),
    expects,
  }));
}

const withType = (type: string | undefined, body: string | Buffer, name?: string): RawCase => ({
  name: name ?? `${type}`,
  bytes: (key) =>
    request(key, {
      headers: [
        'Host: localhost',
        `Authorization: Bearer ${key}`,
        ...(type === undefined ? [] : [`Content-Type: ${type}`]),
        `Content-Length: ${Buffer.byteLength(body)}`,
      ],
      body,
    }),
  expects: 'unsupported_media_type',
});
const withEncoding = (
  encoding: string,
  body: Buffer,
  expects: Expected = 'unsupported_media_type',
): RawCase => ({
  name: `a body of ${body.length} bytes with Content-Encoding: ${encoding}`,
  bytes: (key) => request(key, { more: [`Content-Encoding: ${encoding}`], body }),
  expects,
});

export const TYPES: readonly RawCase[] = [
  withType(undefined, GOOD_BODY, 'no type'),
  withType('text/plain', GOOD_BODY),
  withType('application/x-www-form-urlencoded', 'url=https%3A%2F%2Fexample.kz'),
  withType(
    'multipart/form-data; boundary=x',
    `--x\r\nContent-Disposition: form-data; name="url"\r\n\r\nhttps://example.kz\r\n--x--\r\n`,
  ),
  withType('application/json; charset=utf-16', Buffer.from(`\ufeff${GOOD_BODY}`, 'utf16le')),
  withType('application/json; charset=utf-7', GOOD_BODY),
  withType('application/json/x', GOOD_BODY),
  withType('*/*', GOOD_BODY),
  withEncoding('gzip', gzipSync(GOOD_BODY)),
  withEncoding('gzip', gzipSync(Buffer.alloc(10_000_000, 0x20))),
  withEncoding('gzip', gzipSync(Buffer.alloc(100_000_000, 0x20)), 'payload_too_large'),
  withEncoding('identity, gzip', gzipSync(GOOD_BODY)),
  withEncoding('br', Buffer.from(GOOD_BODY)),
];

const expiring = (value: string, expects: Expected) =>
  post(`{${URL_FIELD},"expires_in":${value}}`, expects, `expires_in: ${value}`);

export const NUMBERS: readonly RawCase[] = [
  ...['1', '31536000', '1e3', '10.0', 'null'].map((value) => expiring(value, 'ok')),
  ...[
    '0',
    '-0',
    '-1',
    '1.5',
    '31536001',
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '18446744073709551616',
    '"10"',
    'true',
    '[]',
    '{}',
    '""',
  ].map((value) => expiring(value, 'validation_error')),
  ...['01', '+1', '.5', '1.', '0x10', '1_000', 'Infinity', '-'].map((value) =>
    expiring(value, 'invalid_json'),
  ),
];
