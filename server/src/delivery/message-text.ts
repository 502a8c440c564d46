import type { Channel } from '@zhiber/contract/api/channel.ts';
import { SMS_SEGMENTS_MAX, SMS_WIDE_SINGLE } from '@zhiber/contract/api/limits.ts';
import { countParts } from '../channels/sms/sms-parts.ts';
import type { ApiKey, MessageLanguage } from '../keys/api-key.ts';

type Voice = Pick<ApiKey, 'language' | 'brand' | 'domain'>;

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
 * The text that carries a code, never longer than one SMS: it says as much as fits, and the code
 * and the link always do. «Код» is the same word in Russian and Kazakh.
 */
export function codeText(
  voice: Voice,
  content: { channel: Channel; code: string; link?: string | undefined },
): string {
  const { code, link } = content;
  const name = voice.brand === null ? 'Код' : `${voice.brand}: код`;
  const tail = link === undefined ? '' : ` ${link}`;
  const candidates = [
    `${name} ${code}. ${WARNINGS[voice.language]}${tail}`,
    `${name} ${code}${tail}`,
    `Код ${code}${tail}`,
    `${code}${tail}`,
  ];
  const line = content.channel === 'sms' ? webOtpLine(voice.domain, code) : '';
  return (
    candidates.map((text) => text + line).find(fitsOneSms) ??
    candidates.find(fitsOneSms) ??
    `${code}${tail}`
  );
}

/** The last line lets a browser on the phone offer the code to the bound site, if it still fits. */
function webOtpLine(domain: string | null, code: string): string {
  return domain === null ? '' : `\n\n@${domain} #${code}`;
}

function fitsOneSms(text: string): boolean {
  return text.length <= SMS_WIDE_SINGLE;
}

/** A text with the link in place of each `:link`, or after it when there is none. */
export function linkText(
  voice: Pick<Voice, 'language' | 'brand'>,
  text: string | undefined,
  link: string,
): string {
  if (text === undefined) return defaultLinkText(voice, link);
  return text.includes(':link') ? text.replaceAll(':link', () => link) : `${text} ${link}`;
}

/** Whoever gave no text is not refused for its length: the brand is left out before that. */
function defaultLinkText({ language, brand }: Pick<Voice, 'language' | 'brand'>, link: string) {
  const text = `${LINK_TEXTS[language]} ${link}`;
  const branded = `${brand}. ${text}`;
  return brand !== null && countParts(branded) <= SMS_SEGMENTS_MAX ? branded : text;
}
