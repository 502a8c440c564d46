import { setTimeout as pause } from 'node:timers/promises';
import type { S3Config } from '../../config/archive-settings.ts';
import type { ArchivePlace } from './archive-place.ts';
import { signS3 } from './sign-s3.ts';

const LIMIT_MS = 120_000;
const TRIES_MAX = 3;
const PAUSE_MS = 1_000;

/** A bucket of S3, or of a store that speaks like it; by path, which all of them understand. */
export function openS3(config: S3Config): ArchivePlace {
  const call = async (method: 'PUT' | 'GET', file: string, body?: Buffer): Promise<Buffer> => {
    const key = [config.bucket, ...config.prefix, file].map(encodeURIComponent).join('/');
    const url = new URL(`${config.endpoint.replace(/\/$/, '')}/${key}`);
    const response = await fetch(url, {
      method,
      headers: signS3({ method, url, body, at: new Date(), ...config }),
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    const content = Buffer.from(await response.arrayBuffer());
    if (response.ok) return content;
    const code = /<Code>([^<]{1,100})<\/Code>/.exec(content.toString())?.[1];
    throw new ArchiveRefused(
      `${method} ${file}: ${response.status} ${code ?? ''}`.trim(),
      response.status,
    );
  };
  return {
    async write(file, content) {
      await retry(() => call('PUT', file, content));
    },
    read: (file) => retry(() => call('GET', file)),
  };
}

class ArchiveRefused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Both calls are the same when they are repeated. What is wrong with the request stays wrong. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isFinal = error instanceof ArchiveRefused && error.status < 500 && error.status !== 429;
      if (isFinal || tries === TRIES_MAX) throw error;
    }
    await pause(PAUSE_MS * tries);
  }
}
