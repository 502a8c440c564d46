import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type Received = {
  from: string;
  /** The last of the recipients. */
  to: string;
  recipients: string[];
  source: string;
};

const newLetter = (): Received => ({ from: '', to: '', recipients: [], source: '' });

/**
 * An SMTP server that stores every email. With `refuses` it rejects every recipient; with `isSilent`
 * it accepts connections and never answers.
 */
export async function openMailServer(options: { refuses?: boolean; isSilent?: boolean } = {}) {
  const letters: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (!options.isSilent) receive(socket, letters, options.refuses ?? false);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    letters,
    connections: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function receive(socket: Socket, letters: Received[], refuses: boolean): void {
  let letter = newLetter();
  let unread = '';
  let isReadingBody = false;
  const reply = (line: string) => socket.write(`${line}\r\n`);
  const handleLine = (line: string) => {
    if (isReadingBody) {
      if (line === '.') {
        isReadingBody = false;
        letters.push(letter);
        letter = newLetter();
        reply('250 kept');
      } else letter.source += `${line}\n`;
      return;
    }
    const address = /<(.*)>/.exec(line)?.[1] ?? '';
    if (/^mail from/i.test(line)) letter.from = address;
    if (/^rcpt to/i.test(line)) {
      letter.to = address;
      letter.recipients.push(address);
    }
    if (/^rcpt to/i.test(line) && refuses) reply(`550 no ${address} here`);
    else if (/^data/i.test(line)) {
      isReadingBody = true;
      reply('354 go on');
    } else reply('250 well');
  };
  reply('220 a mail server');
  socket.on('data', (bytes) => {
    const lines = (unread + bytes.toString()).split('\r\n');
    unread = lines.pop() ?? '';
    for (const line of lines) handleLine(line);
  });
}
