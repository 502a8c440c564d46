import { isSnippetName, printNamed } from '../snippets/operations.ts';
import { CODE_LANGUAGES, type CodeLanguage } from '../snippets/snippets.ts';

const SENT = {
  success: true,
  channel: 'whatsapp',
  message_id: '019a86b2-5c3e-7d41-9f0a-3b1c2d4e5f60',
  cost: 0,
  balance: 50,
};

/** The answer that a `response` fence stands for, by name. */
const ANSWERS: Readonly<Record<string, Record<string, unknown>>> = {
  otpSend: { ...SENT, message: 'Код отправлен через WhatsApp', expires_in: 300 },
  otpVerify: { success: true, message: 'Код подтверждён' },
  linkShorten: {
    success: true,
    message: 'Короткая ссылка готова',
    short_url: '{{shortLinkBase}}/Kd7mWq3x',
  },
  linkSend: {
    ...SENT,
    message: 'Ссылка отправлена через WhatsApp',
    short_url: '{{shortLinkBase}}/Kd7mWq3x',
    expires_in: 2592000,
  },
  groupSend: { ...SENT, message: 'Сообщение отправлено в группу' },
};

export type Example = {
  language: CodeLanguage;
  /** Reads the key from the environment. */
  withVariable: string;
  /** Has `{{key}}` written into it. */
  withKey: string;
};

/** A named call in six languages; undefined for an unknown name. A field of null is left out. */
export function printExamples(
  name: string,
  overrides: Record<string, string | number | null>,
): Example[] | undefined {
  if (!isSnippetName(name)) return undefined;
  const call = { apiUrl: '{{apiUrl}}', overrides };
  return CODE_LANGUAGES.map((language) => ({
    language,
    withVariable: printNamed(language, name, call),
    withKey: printNamed(language, name, { ...call, key: '{{key}}' }),
  }));
}

/** A named answer, with some fields changed; undefined for an unknown name. */
export function printAnswer(name: string, overrides: Record<string, unknown>): string | undefined {
  const answer = ANSWERS[name];
  return answer && JSON.stringify({ ...answer, ...overrides }, null, 2);
}
