import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createTemporaryFolder } from '../temporary-folder.ts';

const PROGRAM = path.join(import.meta.dirname, '../../../node_modules/s3rver/bin/s3rver.js');

/** The only key that this server knows. It does not check signatures of version 4. */
export const S3_KEY = { keyId: 'S3RVER', secret: 'S3RVER', region: 'us-east-1' };

/** A store with one bucket that speaks like S3, of npm `s3rver`. */
export async function startS3(bucket: string) {
  const folder = createTemporaryFolder('s3');
  const child = spawn(
    process.execPath,
    [PROGRAM, '-d', folder, '-a', '127.0.0.1', '-p', '0', '--configure-bucket', bucket],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let endpoint: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    const port = /listening on \S*?:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    endpoint = `http://127.0.0.1:${port}`;
    break;
  }
  if (endpoint === undefined) throw new Error('s3rver did not start');
  return {
    endpoint,
    folder,
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
