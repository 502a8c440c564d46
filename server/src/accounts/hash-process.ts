/**
 * The child process that hashes and judges passwords. A flood of sign-ins uses its memory and its low
 * CPU priority, not those of the server. Its argument is the priority.
 */
import { spawnSync } from 'node:child_process';
import { type ScryptOptions, scrypt } from 'node:crypto';
import { setPriority } from 'node:os';
import { promisify } from 'node:util';
import type { Answer, Priority, Question } from './hasher.ts';

/** At 10, a tenth of the server's share when both compete for one core. */
const NICENESS: Record<Priority, number> = { low: 10, background: 19 };
const MAXMEM_BYTES = 160 * 1024 * 1024;
const HASH_BYTES = 32;
const SYSTEM_PATH = '/usr/bin:/bin';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const [, , priority] = process.argv as [string, string, Priority];
setPriority(NICENESS[priority]);
if (priority === 'background') runOnlyWhenIdle();

process.on('message', ({ id, ...question }: { id: number } & Question) => {
  const answer = (result?: string) => process.send?.({ id, result } satisfies Answer);
  answerTo(question as Question).then(answer, () => answer());
});

async function answerTo(question: Question): Promise<string> {
  const { password } = question;
  if (question.ask === 'judge') {
    // Loaded when the first password is chosen: sign-ins do not need it.
    const { judgePassword } = await import('./judge-password.ts');
    return judgePassword(password, question.person);
  }
  const options = { ...question.cost, maxmem: MAXMEM_BYTES };
  const salt = Buffer.from(question.salt, 'base64');
  return (await derive(password, salt, HASH_BYTES, options)).toString('base64');
}

/**
 * SCHED_IDLE of Linux: work of the server interrupts a hash at once, instead of after its time slice.
 * Where there is no `chrt` the niceness remains.
 */
function runOnlyWhenIdle(): void {
  spawnSync('chrt', ['-a', '-i', '-p', '0', String(process.pid)], { env: { PATH: SYSTEM_PATH } });
}

// The server has exited or was killed.
process.on('disconnect', () => process.exit());
