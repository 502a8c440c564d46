import type { Transporter } from 'nodemailer';
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
  /** Returns when nothing is on its way any more. */
  close(): Promise<void>;
};

/** A mail server holds only so many of our letters at a time; what comes on top is refused. */
const ON_THEIR_WAY_MAX = 200;

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
  let connecting: Promise<Transporter> | undefined;
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: server, pool: true, maxConnections: 2 });
  };
  const onTheirWay = new Set<Promise<void>>();
  const post = async ({ to, subject, text, html }: Letter) => {
    connecting ??= connect();
    const transport = await connecting;
    await transport.sendMail({ from: { name: 'Zhiber', address: from }, to, subject, text, html });
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
      await Promise.all(onTheirWay);
      (await connecting)?.close();
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
