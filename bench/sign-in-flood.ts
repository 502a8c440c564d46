import { setTimeout as pause } from 'node:timers/promises';
import { SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';

const PARALLEL = 20;
/** What a refused client waits. Without it this would be a flood of requests, not of passwords. */
const REFUSED_PAUSE_MS = 100;

/** Sign-ins with wrong passwords, always as many in parallel, each from a network of its own. */
export function startSignInFlood(port: number): { stop(): Promise<void> } {
  const { path } = SESSION_ENDPOINTS.signInByEmail;
  let isOver = false;
  let count = 0;
  const signIn = async (): Promise<boolean> => {
    count += 1;
    const answer = await fetch(`http://127.0.0.1:${port}/cabinet${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-zhiber-cabinet': '1',
        'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
      },
      body: JSON.stringify({ email: `person${count}@example.kz`, password: 'wrong' }),
    });
    await answer.arrayBuffer();
    return answer.status === 401;
  };
  const client = async () => {
    while (!isOver) if (!(await signIn())) await pause(REFUSED_PAUSE_MS);
  };
  const clients = Array.from({ length: PARALLEL }, client);
  return {
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}
