import { createHash, createHmac } from 'node:crypto';

type Request = {
  method: 'PUT' | 'GET';
  /** Its path is encoded already. */
  url: URL;
  body?: Buffer | undefined;
  at: Date;
  region: string;
  keyId: string;
  secret: string;
};

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SIGNED = ['host', 'x-amz-content-sha256', 'x-amz-date'] as const;

/** The headers of AWS Signature Version 4 for a request without a query. */
export function signS3({ method, url, body, at, region, keyId, secret }: Request) {
  const time = `${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  const day = time.slice(0, 8);
  const headers = {
    host: url.host,
    'x-amz-content-sha256': sha256(body ?? ''),
    'x-amz-date': time,
  };
  const request = [
    method,
    url.pathname,
    '',
    ...SIGNED.map((name) => `${name}:${headers[name]}`),
    '',
    SIGNED.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = [day, region, 's3', 'aws4_request'];
  const text = [ALGORITHM, time, scope.join('/'), sha256(request)].join('\n');
  const key = scope.reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${secret}`);
  const credential = `Credential=${keyId}/${scope.join('/')}`;
  const signature = `Signature=${hmac(key, text).toString('hex')}`;
  return {
    ...headers,
    authorization: `${ALGORITHM} ${credential}, SignedHeaders=${SIGNED.join(';')}, ${signature}`,
  };
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();
