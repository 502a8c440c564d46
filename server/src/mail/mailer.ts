import type { Transporter } from 'nodemailer';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { createLazy } from '../runtime/cache.ts';
import { within } from '../runtime/deadline.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export type Letter = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The URL of its button. */
  link: string;
  attachments?: readonly Attachment[];
  /** The hash of the secret of the browser that asked for it. A sandbox shows it there. */
  askedBy?: string | undefined;
};

export type Attachment = { name: string; type: string; bytes: Buffer };

export type Mailer = {
  /** Whether letters are delivered anywhere. */
  readonly isOn: boolean;
  /**
   * Starts sending and returns at once, so that the response time does not reveal whether there was
   * a letter.
   */
  send(letter: Letter): void;
  /** Waits up to 3 s for the letters in flight; the others are dropped. */
  close(): Promise<void>;
};

/** The limit of letters in flight; further ones are dropped with a warning. */
const IN_FLIGHT_MAX = 200;
/**
 * Without these, a server that accepts the connection and then stays silent blocks all letters for
 * minutes.
 */
const TIMEOUTS = {
  /** From the DNS look-up to the greeting. */
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  /** Inactivity in the middle of a letter. */
  socketTimeout: 10_000,
};
const CLOSE_MS_MAX = 3_000;

/** Uses the configured mail server; without one, the virtual phone of a sandbox, or nothing. */
export function openMailer(
  ctx: Pick<Context, 'config' | 'channels' | 'clock' | 'log'>,
  sandbox: Pick<Sandbox, 'phone'>,
): Mailer {
  const { mail } = ctx.config;
  if (mail !== undefined) return createServerMailer(mail, ctx);
  const isOn = ctx.channels.isSandbox;
  return {
    isOn,
    send(letter) {
      if (isOn) deliverToPhone(letter, ctx, sandbox);
    },
    close: async () => undefined,
  };
}

/** Sends by a mail server; a letter that cannot be sent is a warning in the log. */
export function createServerMailer(
  { server, from }: { server: string; from: string },
  { log }: { log: Pick<Context['log'], 'warn'> },
): Mailer {
  let transport: Transporter | undefined;
  const connect = createLazy(async () => {
    const { createTransport } = await import('nodemailer');
    transport = createTransport({ url: server, pool: true, maxConnections: 2, ...TIMEOUTS });
    return transport;
  });
  const inFlight = new Set<Promise<void>>();
  const deliver = async ({ to, subject, text, html, attachments = [] }: Letter) => {
    const smtp = await connect();
    // As objects: a list or a group in the text of an address would reach others.
    const address = { name: '', address: to };
    await smtp.sendMail({
      from: { name: 'Zhiber', address: from },
      to: address,
      subject,
      text,
      html,
      attachments: attachments.map(({ name, type, bytes }) => ({
        filename: name,
        contentType: type,
        content: bytes,
      })),
    });
  };
  return {
    isOn: true,
    send(letter) {
      if (inFlight.size >= IN_FLIGHT_MAX) {
        log.warn('mail was not sent: too many in progress');
        return;
      }
      const sending = deliver(letter)
        // Only the codes are logged: the server's error text may contain the address.
        .catch(({ code, responseCode }: { code?: string; responseCode?: number }) =>
          log.warn({ code, responseCode }, 'mail was not sent'),
        )
        .finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    },
    async close() {
      await within(CLOSE_MS_MAX, Promise.all(inFlight));
      // Letters that are still in flight fail at once.
      transport?.close({ force: true });
      await Promise.all(inFlight);
    },
  };
}

function deliverToPhone(
  { to, subject, text, link, askedBy, attachments = [] }: Letter,
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
    text: [`${subject}\n\n${text}`, ...attachments.map(({ name }) => name)].join('\n'),
    code: null,
    link,
    at,
    askedBy,
  });
}
