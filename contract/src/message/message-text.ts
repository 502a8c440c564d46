import type { Channel } from '../api/channel.ts';
import { SMS_SEGMENTS_MAX, SMS_WIDE_SINGLE } from '../api/limits.ts';
import { countParts } from './sms-parts.ts';

/** The language of messages. */
export type MessageLanguage = 'ru' | 'kk' | 'both';

type Sender = { language: MessageLanguage; brand: string | null; domain: string | null };

const WARNINGS = {
  ru: 'Никому его не сообщайте.',
  kk: 'Оны ешкімге айтпаңыз.',
  both: 'Никому не сообщайте / Ешкімге айтпаңыз',
} as const satisfies Record<MessageLanguage, string>;

const LINK_TEXTS = {
  ru: 'Ваша ссылка:',
  kk: 'Сіздің сілтемеңіз:',
  both: 'Ваша ссылка / Сіздің сілтемеңіз:',
} as const satisfies Record<MessageLanguage, string>;

/**
 * The text of a code, never longer than one SMS: the warning and the brand are left out when they
 * do not fit, the code and the link never. «Код» is the same word in Russian and Kazakh.
 */
export function codeText(
  sender: Sender,
  content: { channel: Channel; code: string; link?: string | undefined },
): string {
  const { code, link } = content;
  const name = sender.brand === null ? 'Код' : `${sender.brand}: код`;
  const tail = link === undefined ? '' : ` ${link}`;
  const candidates = [
    `${name} ${code}. ${WARNINGS[sender.language]}${tail}`,
    `${name} ${code}${tail}`,
    `Код ${code}${tail}`,
    `${code}${tail}`,
  ];
  const line = content.channel === 'sms' ? webOtpLine(sender.domain, code) : '';
  return (
    candidates.map((text) => text + line).find(fitsOneSms) ??
    candidates.find(fitsOneSms) ??
    `${code}${tail}`
  );
}

/**
 * The WebOTP line, by which a browser on the phone offers the code to the bound site. It is left
 * out when it does not fit.
 */
function webOtpLine(domain: string | null, code: string): string {
  return domain === null ? '' : `\n\n@${domain} #${code}`;
}

function fitsOneSms(text: string): boolean {
  return text.length <= SMS_WIDE_SINGLE;
}

/** A text with the link in place of each `:link`, or at its end when there is none. */
export function linkText(
  sender: Pick<Sender, 'language' | 'brand'>,
  text: string | undefined,
  link: string,
): string {
  if (text === undefined) return defaultLinkText(sender, link);
  return text.includes(':link') ? text.replaceAll(':link', () => link) : `${text} ${link}`;
}

/** A default text must never be refused for its length, so the brand is left out before that. */
function defaultLinkText({ language, brand }: Pick<Sender, 'language' | 'brand'>, link: string) {
  const text = `${LINK_TEXTS[language]} ${link}`;
  const branded = `${brand}. ${text}`;
  return brand !== null && countParts(branded) <= SMS_SEGMENTS_MAX ? branded : text;
}
