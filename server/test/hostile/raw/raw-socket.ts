import { connect, type Socket } from 'node:net';

export type Received = {
  bytes: Buffer;
  /** Whether the server closed the connection, not the client after the silence limit. */
  isClosedByServer: boolean;
  elapsedMs: number;
};

export type SendOptions = {
  /** Half-closes the connection after the last byte. */
  halfCloses?: boolean;
  /** How long to wait after the last byte from the server before closing. */
  silenceMs?: number;
  /** Sends more after the first bytes. */
  sendMore?(socket: Socket): void;
  /** Stops reading once this is true of the received bytes. */
  isComplete?(bytes: Buffer): boolean;
};

const SILENCE_MS = 10_000;

/** Sends bytes on a new connection, and reads until the server closes it or is silent. */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: SendOptions = {},
): Promise<Received> {
  const { halfCloses = false, silenceMs = SILENCE_MS, isComplete } = options;
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket = connect({ port, host: 'localhost', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const finish = (isClosedByServer: boolean) => {
      clearTimeout(silence);
      resolve({
        bytes: Buffer.concat(chunks),
        isClosedByServer,
        elapsedMs: performance.now() - startedAt,
      });
      socket.destroy();
    };
    const silence = setTimeout(() => finish(false), silenceMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      silence.refresh();
      if (isComplete?.(Buffer.concat(chunks))) finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('close', () => finish(true));
    // A reset counts as closed by the server; bytes received before it are kept.
    socket.on('error', () => finish(true));
    socket.write(bytes);
    if (halfCloses) socket.end();
    options.sendMore?.(socket);
  });
}

/** Sends the same bytes repeatedly, as fast as the server reads, up to a total. */
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

export const repeat = (count: number, run: () => Promise<Received>) =>
  Promise.all(Array.from({ length: count }, run));

/**
 * Less than half of the accept backlog. When it is full, the system drops connections that their
 * clients take for open, and a client that sends nothing never finds out.
 */
const WAVE = 250;
/** The next wave follows when the server has answered a call, and so accepted all before it. */
export async function repeatInWaves(
  count: number,
  run: () => Promise<Received>,
  call: () => Promise<void>,
): Promise<Received[]> {
  const waves: Promise<Received[]>[] = [];
  for (let started = 0; started < count; started += WAVE) {
    waves.push(repeat(Math.min(WAVE, count - started), run));
    await call();
  }
  return (await Promise.all(waves)).flat();
}
