import type { Channel } from '@zhiber/contract/api/channel.ts';
import { SMS_WIDE_SINGLE } from '@zhiber/contract/api/limits.ts';
import type { ApiKey, MessageLanguage } from '../keys/api-key.ts';

type Voice = Pick<ApiKey, 'language' | 'brand' | 'domain'>;

const WARNINGS = {
  ru: 'Никому его не сообщайте.',
  kk: 'Оны ешкімге айтпаңыз.',
  both: 'Никому не сообщайте / Ешкімге айтпаңыз',
} as const satisfies Record<MessageLanguage, string>;

const LINK_TEXTS = {
  ru: 'Ваша ссылка: :link',
  kk: 'Сіздің сілтемеңіз: :link',
  both: 'Ваша ссылка / Сіздің сілтемеңіз: :link',
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
  const text = candidates.find(fitsOneSms) ?? `${code}${tail}`;
  return content.channel === 'sms' ? withWebOtp(text, voice.domain, code) : text;
}

/** The last line lets a browser on the phone offer the code to the bound site, if it still fits. */
function withWebOtp(text: string, domain: string | null, code: string): string {
  if (domain === null) return text;
  const bound = `${text}\n\n@${domain} #${code}`;
  if (fitsOneSms(bound)) return bound;
  const shorter = `${code}\n\n@${domain} #${code}`;
  return !text.includes('http') && fitsOneSms(shorter) ? shorter : text;
}

function fitsOneSms(text: string): boolean {
  return text.length <= SMS_WIDE_SINGLE;
}

/** A text with the link in place of each `:link`, or after it when there is none. */
export function linkText(
  text: string | undefined,
  language: MessageLanguage,
  link: string,
): string {
  const pattern = text ?? LINK_TEXTS[language];
  return pattern.includes(':link') ? pattern.replaceAll(':link', () => link) : `${pattern} ${link}`;
}
