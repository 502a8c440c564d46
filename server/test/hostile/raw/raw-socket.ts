import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Heard = {
  bytes: Buffer;
  /** Whether the server hung up, rather than we because nothing more came. */
  hungUp: boolean;
  elapsedMs: number;
};

export type Saying = {
  /** Ends our side after the last byte. */
  ends?: boolean;
  /** How long to wait after the last sign of the server before we hang up. */
  quietMs?: number;
  /** Goes on sending after the first bytes, until the server takes no more. */
  goOn?(socket: Socket): void;
  /** Stops listening once this is true of what has come. */
  isEnough?(bytes: Buffer): boolean;
};

const QUIET_MS = 10_000;

/** Says these bytes on a connection of its own, and listens until the server falls silent. */
export function say(port: number, bytes: string | Buffer, saying: Saying = {}): Promise<Heard> {
  const { ends = false, quietMs = QUIET_MS, isEnough } = saying;
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket = connect({ port, host: 'localhost', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const finish = (hungUp: boolean) => {
      clearTimeout(quiet);
      resolve({
        bytes: Buffer.concat(chunks),
        hungUp,
        elapsedMs: performance.now() - startedAt,
      });
      socket.destroy();
    };
    const quiet = setTimeout(() => finish(false), quietMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      quiet.refresh();
      if (isEnough?.(Buffer.concat(chunks))) finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('close', () => finish(true));
    // A reset is one way of hanging up; what came before it has been kept.
    socket.on('error', () => finish(true));
    socket.write(bytes);
    if (ends) socket.end();
    saying.goOn?.(socket);
  });
}

/** Sends the same piece again and again, as fast as it is taken, up to a total. */
export function flood(socket: Socket, piece: Buffer, totalBytes: number): void {
  let sent = 0;
  const push = () => {
    while (sent < totalBytes && !socket.destroyed) {
      sent += piece.length;
      if (!socket.write(piece)) {
        socket.once('drain', push);
        return;
      }
    }
  };
  push();
}

export const several = (count: number, one: () => Promise<Heard>) =>
  Promise.all(Array.from({ length: count }, one));

/** As many as the system keeps for the server at a time; the rest would wait before it sees them. */
const WAVE = 250;
export async function inWaves(count: number, one: () => Promise<Heard>): Promise<Heard[]> {
  const waves: Promise<Heard[]>[] = [];
  for (let made = 0; made < count; made += WAVE) {
    waves.push(several(Math.min(WAVE, count - made), one));
    await pause(50);
  }
  return (await Promise.all(waves)).flat();
}
