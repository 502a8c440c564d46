import type { ErrorCode } from '@zhiber/contract/api/errors.ts';

export type Expected = ErrorCode | 'ok';

/** What somebody writes to the socket, and what has to come back for it. */
export type RawCase = {
  name: string;
  /** The key is a live one, for the header. */
  bytes(key: string): string | Buffer;
  /** One for each answer, in order. */
  expects: Expected | readonly Expected[];
  /** The server must end the connection after the last answer. */
  hangsUp?: boolean;
  /** We end our side after the last byte. */
  ends?: boolean;
};

export const GOOD_BODY = '{"url":"https://example.kz/order/42"}';

type Parts = {
  method?: string;
  path?: string;
  version?: string;
  /** Replaces the headers that a good request has. */
  headers?: readonly string[];
  /** Comes after them. */
  more?: readonly string[];
  body?: string | Buffer;
};

/** A good request to shorten a link, but for the parts that are given. */
export function request(key: string, parts: Parts = {}): Buffer {
  const body = Buffer.from(parts.body ?? GOOD_BODY);
  const headers = parts.headers ?? [
    ...goodHeaders(key),
    `Content-Length: ${body.length}`,
    ...(parts.more ?? []),
  ];
  const { method = 'POST', path = '/api/links/shorten', version = 'HTTP/1.1' } = parts;
  const head = [`${method} ${path} ${version}`, ...headers].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]);
}

export function goodHeaders(key: string): string[] {
  return ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
}

/** The same body in chunks of this size. */
export function chunked(key: string, body: string | Buffer, size = 1_000): Buffer {
  const bytes = Buffer.from(body);
  const pieces = [request(key, { headers: chunkedHeaders(key), body: '' })];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

export function chunkedHeaders(key: string): string[] {
  return [...goodHeaders(key), 'Transfer-Encoding: chunked'];
}
