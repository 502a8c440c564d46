import type { ErrorCode } from '@zhiber/contract/api/errors.ts';

export type Expected = ErrorCode | 'ok';

/** Bytes written to a socket, and the answers that must follow. */
export type RawCase = {
  name: string;
  /** `key` is a valid live key. */
  bytes(key: string): string | Buffer;
  /** The outcome of each answer, in order. */
  expects: Expected | readonly Expected[];
  /** The server must close the connection after the last answer. */
  closesConnection?: boolean;
  /** The client half-closes the connection after the last byte. */
  halfCloses?: boolean;
};

export const GOOD_BODY = '{"url":"https://example.kz/order/42"}';

type Parts = {
  method?: string;
  path?: string;
  version?: string;
  /** Replaces the headers of a valid request. */
  headers?: readonly string[];
  /** Added after the headers. */
  more?: readonly string[];
  body?: string | Buffer;
};

/** A valid request to shorten a link, with the given parts replaced. */
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

/** A valid request with a chunked body. */
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
