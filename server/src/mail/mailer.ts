import type { Transporter } from 'nodemailer';
import { createLazy } from '../cache.ts';
import { within } from '../clock.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export type Letter = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where its button leads. */
  link: string;
};

export type Mailer = {
  /** Whether letters arrive anywhere. */
  readonly isOn: boolean;
  /**
   * On its way when this returns: nobody waits for a letter, and so nobody can tell by the time it
   * takes whether there was one.
   */
  send(letter: Letter): void;
  /** Returns when nothing is on its way any more; what takes too long is given up. */
  close(): Promise<void>;
};

/** A mail server holds only so many of our letters at a time; what comes on top is refused. */
const ON_THEIR_WAY_MAX = 200;
/**
 * Without these a server that takes the connection and says nothing is waited for by the minute, and
 * meanwhile the letters of everybody.
 */
const TIMEOUTS = {
  /** From the look-up of the name to the greeting. */
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  /** Of silence, in the middle of a letter. */
  socketTimeout: 10_000,
};
const CLOSE_MS_MAX = 3_000;

/** The configured mail server; without one the virtual phone of a sandbox, or nothing at all. */
export function openMailer(
  ctx: Pick<Context, 'config' | 'channels' | 'clock' | 'log'>,
  sandbox: Pick<Sandbox, 'phone'>,
): Mailer {
  const { mail } = ctx.config;
  if (mail !== undefined) return byServer(mail, ctx);
  const isOn = ctx.channels.isSandbox;
  return {
    isOn,
    send(letter) {
      if (isOn) showInPhone(letter, ctx, sandbox);
    },
    close: async () => undefined,
  };
}

function byServer(
  { server, from }: { server: string; from: string },
  { log }: Pick<Context, 'log'>,
): Mailer {
  let transport: Transporter | undefined;
  const connect = createLazy(async () => {
    const { createTransport } = await import('nodemailer');
    transport = createTransport({ url: server, pool: true, maxConnections: 2, ...TIMEOUTS });
    return transport;
  });
  const onTheirWay = new Set<Promise<void>>();
  const post = async ({ to, subject, text, html }: Letter) => {
    const connected = await connect();
    await connected.sendMail({ from: { name: 'Zhiber', address: from }, to, subject, text, html });
  };
  return {
    isOn: true,
    send(letter) {
      if (onTheirWay.size >= ON_THEIR_WAY_MAX) {
        log.warn('a letter was not sent: too many are on their way');
        return;
      }
      const sending = post(letter)
        // The server's own words may repeat the address.
        .catch(({ code, responseCode }: { code?: string; responseCode?: number }) =>
          log.warn({ code, responseCode }, 'a letter was not sent'),
        )
        .finally(() => onTheirWay.delete(sending));
      onTheirWay.add(sending);
    },
    async close() {
      await within(CLOSE_MS_MAX, Promise.all(onTheirWay));
      // Whatever is still on its way fails at once.
      transport?.close({ force: true });
      await Promise.all(onTheirWay);
    },
  };
}

function showInPhone(
  { to, subject, text, link }: Letter,
  { clock }: Pick<Context, 'clock'>,
  { phone }: Pick<Sandbox, 'phone'>,
): void {
  const at = clock.now();
  phone.receive({
    messageId: newId(at.getTime()),
    companyId: null,
    keyId: null,
    isTest: true,
    phone: to,
    channel: 'email',
    kind: 'letter',
    text: `${subject}\n\n${text}`,
    code: null,
    link,
    at,
  });
}
