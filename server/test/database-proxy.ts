/** A TCP proxy to the database that simulates faults of the network. */
import { once } from 'node:events';
import net from 'node:net';

/** The Terminate message that a PostgreSQL client sends before it disconnects. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/**
 * `refuse` closes new connections at once. `hang` leaves new connections without an answer, and
 * open ones work. `drop` forwards nothing on any connection. `hold-terminate` keeps Terminate
 * messages back until `forwardHeld`.
 */
export type ProxyMode = 'forward' | 'refuse' | 'hang' | 'drop' | 'hold-terminate';

export type DatabaseProxy = Awaited<ReturnType<typeof openDatabaseProxy>>;

export async function openDatabaseProxy(database: { host: string; port: number }) {
  const sockets = new Set<net.Socket>();
  const held: (() => void)[] = [];
  let mode: ProxyMode = 'forward';

  const track = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  // A client half-closes its connection after Terminate. A held Terminate must keep it open.
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    track(near);
    if (mode === 'refuse') near.destroy();
    if (mode === 'refuse' || mode === 'hang') return;
    const far = connect(database);
    track(far);
    let isHeld = false;
    near.on('data', (bytes) => {
      if (mode === 'hold-terminate' && bytes.equals(TERMINATE)) {
        isHeld = true;
        held.push(() => far.end(bytes));
      } else if (mode !== 'drop') {
        far.write(bytes);
      }
    });
    near.on('end', () => {
      if (!isHeld) near.end();
    });
    far.on('data', (bytes) => mode !== 'drop' && near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const closeConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    /** Where clients connect instead of the database. */
    address: { host: '127.0.0.1', port: (server.address() as net.AddressInfo).port },
    setMode(next: ProxyMode): void {
      mode = next;
    },
    closeConnections,
    /** How many Terminate messages are kept back. */
    heldCount: () => held.length,
    forwardHeld(): void {
      for (const forward of held.splice(0)) forward();
    },
    close(): void {
      closeConnections();
      server.close();
    },
  };
}

function connect({ host, port }: { host: string; port: number }): net.Socket {
  return host.startsWith('/')
    ? net.connect(`${host}/.s.PGSQL.${port}`)
    : net.connect({ host, port });
}
