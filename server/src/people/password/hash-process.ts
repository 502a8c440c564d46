/**
 * The process beside the server that hashes passwords: a flood of sign-ins takes its memory and its
 * share of the machine, which is the smaller one, and not the server's.
 */
import { scrypt } from 'node:crypto';
import { setPriority } from 'node:os';
import type { HashAnswer, HashQuestion } from './hasher.ts';

/** A tenth of what the server gets where both want the same core. */
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
// The server is gone, whatever became of it.
process.on('disconnect', () => process.exit());
