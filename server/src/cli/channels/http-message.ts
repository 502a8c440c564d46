/** Answers and callbacks in files: a body alone, or below the head that `curl -i` prints. */
import type { CallbackRequest } from '../../channels/provider.ts';

type HttpMessage = { head: string | undefined; headers: Record<string, string>; body: Buffer };

const HEAD = /^(HTTP\/\d[.\d]* \d{3}|(?:GET|POST) \/\S*)[^\r\n]*(?:\r?\n|$)/;
const HEADER = /^([\w-]+):[ \t]*(.*)$/;

export function readHttpMessage(bytes: Buffer): HttpMessage {
  // Each character is a byte, so that positions in the text are those in the file.
  const text = bytes.toString('latin1');
  const [first, head] = HEAD.exec(text) ?? [];
  if (first === undefined) return { head: undefined, headers: {}, body: withoutLineEnd(bytes) };
  const end = /(?:^|\n)\r?\n/.exec(text.slice(first.length));
  const headLength = end === null ? text.length : first.length + end.index + end[0].length;
  const lines = text.slice(first.length, headLength).split(/\r?\n/);
  const headers = lines.flatMap((line): [string, string][] => {
    const [, name, value] = HEADER.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()]];
  });
  const body = withoutLineEnd(bytes.subarray(headLength));
  return { head, headers: Object.fromEntries(headers), body };
}

/** Editors end a file with a line break, which was not in the body. */
function withoutLineEnd(bytes: Buffer): Buffer {
  const isEnded = bytes.at(-1) === 0x0a;
  const isWithReturn = isEnded && bytes.at(-2) === 0x0d;
  return bytes.subarray(0, bytes.length - (isWithReturn ? 2 : isEnded ? 1 : 0));
}

export function toAnswer({ head, body }: HttpMessage): { status: number; text: string } {
  const status = /^HTTP\S+ (\d{3})/.exec(head ?? '')?.[1];
  return { status: Number(status ?? 200), text: body.toString() };
}

/** A body alone is a POST; for a provider that calls by GET it is the query. */
export function toCallback(
  { head, headers, body }: HttpMessage,
  isQuery: boolean,
): CallbackRequest {
  const [method, target = ''] = (head ?? '').split(' ');
  const url = URL.parse(target, 'http://localhost');
  const query = isQuery && head === undefined ? body.toString() : (url?.search ?? '');
  const secret = url?.pathname.split('/').slice(3).join('/');
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    headers,
    query: Object.fromEntries(new URLSearchParams(query)),
    body,
    pathSecret: secret && decodeURIComponent(secret),
  };
}
