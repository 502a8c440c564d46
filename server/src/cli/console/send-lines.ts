import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import { almatyTime } from '../../almaty.ts';
import type { FinishedCall } from '../../context.ts';
import { maskPhone, type Phone, parsePhone } from '../../phone.ts';
import type { ConsoleTexts } from './texts.ts';

/** A finished call, and the channels that were tried for it, when there were several. */
export type ShownCall = FinishedCall & {
  at: Date;
  tried: readonly { channel: Channel; isAccepted: boolean }[];
};

export type Look = { texts: ConsoleTexts; hasColour: boolean; publicUrl: string };

const COLOURS = { green: 32, red: 31, dim: 2 } as const;
const PHONE_WIDTH = 16;

const SEND_PATHS: ReadonlySet<string> = new Set(
  [ENDPOINTS.otpSend, ENDPOINTS.linkSend, ENDPOINTS.groupSend].map(({ path }) => `/api${path}`),
);

export function isSend({ path }: Pick<FinishedCall, 'path'>): boolean {
  return SEND_PATHS.has(path);
}

/** One line for one call: never the code, and the phone masked. */
export function callLine(call: ShownCall, look: Look): string {
  const { texts, publicUrl } = look;
  const { messageId, isTest, cost } = call;
  const price = cost === undefined ? '' : `${cost} ₸${isTest ? ` ${texts.test}` : ''}`;
  const parts = [
    almatyTime(call.at).slice(11),
    shortPhone(call.phone).padEnd(PHONE_WIDTH),
    isSend(call) ? pathText(call, look) : `${call.path} ${outcome(call, look)}`,
    durationText(call.durationMs, texts),
    price,
    messageId === undefined
      ? ''
      : paint(look, 'dim', `${publicUrl}/app/messages/${shortMessageId(messageId)}`),
  ];
  return `  ${parts.filter((part) => part !== '').join('  ')}`;
}

/** Many calls at once are one line, so that a load test does not flood the terminal. */
export function sumLine(calls: readonly ShownCall[], look: Look): string {
  const { texts } = look;
  const accepted = calls.filter(({ status }) => status < 400);
  const codes = new Map<string, number>();
  for (const { status, errorCode } of calls) {
    if (status < 400) continue;
    const code = errorCode ?? String(status);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  const refused = [...codes]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${paint(look, 'red', '✗')} ${code} ${count}`);
  const cost = accepted.reduce((sum, call) => sum + (call.cost ?? 0), 0);
  const [first] = calls as [ShownCall, ...ShownCall[]];
  const ok = `${paint(look, 'green', '✓')} ${accepted.length}`;
  return `  ${almatyTime(first.at).slice(11)}  ${texts.sends(calls.length)}  ${[ok, ...refused].join('  ')}  ${cost} ₸`;
}

/** `auto → WhatsApp ✗ → SMS ✓`, or the code of a refusal. */
function pathText(call: ShownCall, look: Look): string {
  // Of a body that was not understood, nothing was asked for.
  if (call.status >= 400 && call.phone === undefined) return outcome(call, look);
  const asked = call.askedChannel ?? 'auto';
  const start = asked === 'auto' ? 'auto' : titleOf(asked);
  if (call.status >= 400 && call.tried.length === 0) return `${start} → ${outcome(call, look)}`;
  const steps =
    call.tried.length > 0
      ? call.tried.map(({ channel, isAccepted }) => step(channel, isAccepted, look))
      : [step(call.channel ?? asked, true, look)];
  const shown = asked === 'auto' ? [start, ...steps] : steps;
  const failure = call.status < 400 ? [] : [outcome(call, look)];
  return [...shown, ...failure].join(' → ');
}

function step(channel: string, isAccepted: boolean, look: Look): string {
  return `${titleOf(channel)} ${isAccepted ? paint(look, 'green', '✓') : paint(look, 'red', '✗')}`;
}

function outcome({ status, errorCode }: ShownCall, look: Look): string {
  if (status < 400) return `${paint(look, 'green', '✓')} ${status}`;
  return `${paint(look, 'red', '✗')} ${errorCode ?? status}`;
}

function titleOf(channel: string): string {
  return CHANNEL_TITLES[channel as Channel] ?? channel;
}

/** `+7 700 ••• 00 01`; what is no phone is not shown at all. */
function shortPhone(raw: string | undefined): string {
  const phone = raw === undefined ? undefined : parsePhone(raw)?.phone;
  if (phone === undefined) return '—';
  const kazakh = /^7(\d{3})\d{3}(\d\d)(\d\d)$/.exec(phone);
  if (kazakh === null) return maskPhone(phone as Phone).replace('***', ' ••• ');
  return `+7 ${kazakh[1]} ••• ${kazakh[2]} ${kazakh[3]}`;
}

function durationText(ms: number, texts: ConsoleTexts): string {
  return ms < 100 ? texts.millis(Math.round(ms)) : texts.seconds(ms / 1000);
}

function paint({ hasColour }: Look, colour: keyof typeof COLOURS, text: string): string {
  return hasColour ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
}
