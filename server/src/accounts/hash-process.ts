/**
 * The child process that hashes passwords. A flood of sign-ins uses its memory and its low CPU
 * priority, not those of the server.
 */
import { scrypt } from 'node:crypto';
import { setPriority } from 'node:os';
import type { HashAnswer, HashQuestion } from './hasher.ts';

/** A tenth of the server's share when both compete for one core. */
const NICENESS = 10;
const MAXMEM_BYTES = 160 * 1024 * 1024;
const HASH_BYTES = 32;

setPriority(NICENESS);

process.on('message', ({ id, password, salt, cost }: HashQuestion) => {
  const options = { ...cost, maxmem: MAXMEM_BYTES };
  scrypt(password, Buffer.from(salt, 'base64'), HASH_BYTES, options, (error, key) => {
    const answer: HashAnswer = error === null ? { id, key: key.toString('base64') } : { id };
    process.send?.(answer);
  });
});
// The server has exited or was killed.
process.on('disconnect', () => process.exit());
