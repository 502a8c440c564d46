import { API_URL_MARK, type PublicSnippets } from '@zhiber/contract/pages/snippets.ts';
import { CODE_LANGUAGE_TITLES, CODE_LANGUAGES, printSnippet } from './snippets.ts';

/** A number whose code is known: the two requests can be tried one after the other. */
const PHONE = '+77000000000';

const print = (path: string, body: Record<string, string>) =>
  Object.fromEntries(
    CODE_LANGUAGES.map((language) => [
      language,
      printSnippet(language, { url: `${API_URL_MARK}${path}`, body, key: undefined }),
    ]),
  );

/** What the build writes for the server. */
export const PUBLIC_SNIPPETS: PublicSnippets = {
  languages: CODE_LANGUAGES.map((id) => ({ id, title: CODE_LANGUAGE_TITLES[id] })),
  code: {
    otpSend: print('/otp/send', { phone: PHONE, channel: 'auto' }),
    otpVerify: print('/otp/verify', { phone: PHONE, code: '000000' }),
  },
};
