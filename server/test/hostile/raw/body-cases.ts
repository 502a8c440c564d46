import { gzipSync } from 'node:zlib';
import { BODY_BYTES_MAX } from '@zhiber/contract/api/limits.ts';
import { chunked, type Expected, GOOD_BODY, type RawCase, request } from './raw-case.ts';

const URL_FIELD = '"url":"https://example.kz/order/42"';
const posting = (body: string | Buffer, expects: Expected, name?: string): RawCase => ({
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
  posting(padded(BODY_BYTES_MAX), 'ok', 'a body of exactly the limit'),
  ...[1, 1_000, 100_000].map(
    (over): RawCase => ({
      name: `a body ${over} bytes over the limit`,
      bytes: (key) => request(key, { body: padded(BODY_BYTES_MAX + over) }),
      expects: 'payload_too_large',
      hangsUp: true,
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
    hangsUp: true,
  },
  {
    name: 'chunks of one byte',
    bytes: (key) => chunked(key, padded(4_000), 1),
    expects: 'ok',
  },
];

export const SHAPES: readonly RawCase[] = [
  posting(nested(7, '[', ']'), 'ok', 'eight levels'),
  posting(nested(8, '[', ']'), 'invalid_json', 'nine levels'),
  posting(nested(8_000, '[', ']'), 'invalid_json', '8,000 arrays'),
  posting(nested(2_000, '{"a":', '}'), 'invalid_json', '2,000 objects'),
  posting('['.repeat(16_000), 'invalid_json', '16,000 arrays that never end'),
  posting('{"a":'.repeat(3_000), 'invalid_json', '3,000 objects that never end'),
  { ...posting(nested(100_000, '[', ']'), 'payload_too_large', '100,000 levels'), hangsUp: true },
  {
    ...posting(nested(1_000_000, '[', ']'), 'payload_too_large', '1,000,000 levels'),
    hangsUp: true,
  },
  posting(`{"url":"javascript:alert(1)",${URL_FIELD}}`, 'ok', 'a field twice: the last one counts'),
  posting(
    `{${URL_FIELD},"url":"javascript:alert(1)"}`,
    'invalid_url',
    'a field twice, the last one bad',
  ),
  posting(`{${URL_FIELD},"__proto__":{"alias":"polluted-1"}}`, 'ok'),
  posting(`{${URL_FIELD},"constructor":{"prototype":{"alias":"polluted-2"}}}`, 'ok'),
  posting(`{"__proto__":{${URL_FIELD}}}`, 'validation_error'),
  posting(`{"__proto__":null,"hasOwnProperty":1,"toString":2,"toJSON":3}`, 'validation_error'),
  posting('', 'invalid_json', 'nothing'),
  posting(' ', 'invalid_json', 'a space'),
  posting('null', 'invalid_json'),
  posting('[]', 'invalid_json'),
  posting('"text"', 'invalid_json'),
  posting('NaN', 'invalid_json'),
  posting(`{${URL_FIELD}`, 'invalid_json'),
  posting(`{${URL_FIELD}}}`, 'invalid_json'),
  posting(`{${URL_FIELD}}\0`, 'invalid_json'),
  posting(`/**/{${URL_FIELD}}`, 'invalid_json'),
  posting(`{url:'https://example.kz'}`, 'invalid_json'),
];

const bytes = (...values: number[]) =>
  Buffer.concat([
    Buffer.from('{"url":"https://example.kz/'),
    Buffer.from(values),
    Buffer.from('"}'),
  ]);

export const TEXTS: readonly RawCase[] = [
  posting('{"url":"https://example.kz/\\u0000"}', 'invalid_json'),
  posting('{"url":"https://example.kz/","x":"\\u0000"}', 'invalid_json'),
  posting('{"url":"https://example.kz/\0"}', 'invalid_json', 'a NUL as it is'),
  posting('{"url":"https://example.kz/\\ud800"}', 'invalid_json'),
  posting('{"url":"https://example.kz/\\udfff"}', 'invalid_json'),
  posting('{"url":"https://example.kz/\\udfff\\ud800"}', 'invalid_json'),
  posting('{"url":"https://example.kz/\\ud83d\\ude00"}', 'ok'),
  posting(`{${URL_FIELD},"\\u0000":1,"\\ud800":2}`, 'ok'),
  posting(bytes(0xff), 'invalid_json', 'a byte that UTF-8 never has'),
  posting(bytes(0xc0, 0xaf), 'invalid_json', 'a slash in two bytes'),
  posting(bytes(0xed, 0xa0, 0x80), 'invalid_json', 'half a character in bytes'),
  posting(bytes(0xe2, 0x82), 'invalid_json', 'a character cut short'),
  posting(bytes(0xf5, 0x80, 0x80, 0x80), 'invalid_json', 'past the last character'),
  posting(
    Buffer.concat([Buffer.from('\ufeff'), Buffer.from(GOOD_BODY)]),
    'ok',
    'a byte order mark',
  ),
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

const typed = (type: string | undefined, body: string | Buffer, name?: string): RawCase => ({
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
const encoded = (
  encoding: string,
  body: Buffer,
  expects: Expected = 'unsupported_media_type',
): RawCase => ({
  name: `a body of ${body.length} bytes with Content-Encoding: ${encoding}`,
  bytes: (key) => request(key, { more: [`Content-Encoding: ${encoding}`], body }),
  expects,
});

export const TYPES: readonly RawCase[] = [
  typed(undefined, GOOD_BODY, 'no type'),
  typed('text/plain', GOOD_BODY),
  typed('application/x-www-form-urlencoded', 'url=https%3A%2F%2Fexample.kz'),
  typed(
    'multipart/form-data; boundary=x',
    `--x\r\nContent-Disposition: form-data; name="url"\r\n\r\nhttps://example.kz\r\n--x--\r\n`,
  ),
  typed('application/json; charset=utf-16', Buffer.from(`\ufeff${GOOD_BODY}`, 'utf16le')),
  typed('application/json; charset=utf-7', GOOD_BODY),
  typed('application/json/x', GOOD_BODY),
  typed('*/*', GOOD_BODY),
  encoded('gzip', gzipSync(GOOD_BODY)),
  encoded('gzip', gzipSync(Buffer.alloc(10_000_000, 0x20))),
  encoded('gzip', gzipSync(Buffer.alloc(100_000_000, 0x20)), 'payload_too_large'),
  encoded('identity, gzip', gzipSync(GOOD_BODY)),
  encoded('br', Buffer.from(GOOD_BODY)),
];

const living = (value: string, expects: Expected) =>
  posting(`{${URL_FIELD},"expires_in":${value}}`, expects, `expires_in: ${value}`);

export const NUMBERS: readonly RawCase[] = [
  ...['1', '31536000', '1e3', '10.0', 'null'].map((value) => living(value, 'ok')),
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
  ].map((value) => living(value, 'validation_error')),
  ...['01', '+1', '.5', '1.', '0x10', '1_000', 'Infinity', '-'].map((value) =>
    living(value, 'invalid_json'),
  ),
];
