import { CODE_LANGUAGES, type CodeLanguage, printSnippet } from '../snippets/snippets.ts';

type Body = Record<string, string | number>;

/** The call that a `snippet` fence stands for, by name. */
const REQUESTS: Readonly<Record<string, { path: string; body: Body }>> = {
  otpSend: {
    path: '/otp/send',
    body: { phone: '+77000000000', purpose: 'login', channel: 'auto' },
  },
  otpVerify: {
    path: '/otp/verify',
    body: { phone: '+77000000000', code: '000000', purpose: 'login' },
  },
  linkShorten: { path: '/links/shorten', body: { url: 'https://example.kz/order/42' } },
  linkSend: {
    path: '/links/send',
    body: {
      phone: '+77000000000',
      url: 'https://example.kz/order/42',
      channel: 'auto',
      text: 'Ваш заказ готов: :link',
    },
  },
  groupSend: {
    path: '/group/send',
    body: { group: 'Дежурные', text: 'Новая заявка', channel: 'auto' },
  },
};

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
  const request = REQUESTS[name];
  if (request === undefined) return undefined;
  const given = Object.entries({ ...request.body, ...overrides }).filter(
    (field): field is [string, string | number] => field[1] !== null,
  );
  const call = { url: `{{apiUrl}}${request.path}`, body: Object.fromEntries(given) };
  return CODE_LANGUAGES.map((language) => ({
    language,
    withVariable: printSnippet(language, { ...call, key: undefined }),
    withKey: printSnippet(language, { ...call, key: '{{key}}' }),
  }));
}

/** A named answer, with some fields changed; undefined for an unknown name. */
export function printAnswer(name: string, overrides: Record<string, unknown>): string | undefined {
  const answer = ANSWERS[name];
  return answer && JSON.stringify({ ...answer, ...overrides }, null, 2);
}
