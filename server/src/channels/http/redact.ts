/** What an answer may repeat of a message and of the settings. */
export type Secrets = {
  /** Tokens, passwords and the like. */
  settings: readonly string[];
  /** The texts of the message. */
  texts: readonly string[];
};

const HIDDEN = '…';
const SETTING_LENGTH_MIN = 4;
const DECODINGS_MAX = 3;
/** Long enough to be a token: with a digit, or longer than any word. */
const TOKEN = /[\w+/=.~-]{16,}/g;
const WORD_LENGTH_MAX = 40;
const WORD = /[\p{L}\p{N}]{3,}/gu;
/** A code or a phone, in any spelling: at least four digits, with little between them. */
const DIGITS = /\p{Nd}(?:[\p{P}\p{Z}\p{Cf}\s]{0,3}\p{Nd}){3,}/gu;

/**
 * The text on one line, without anything that must not be logged: settings, what looks like a token,
 * codes and phones in any spelling, and the words of the message. It hides too much rather than too
 * little: an error code of four digits looks like a code.
 */
export function redact(text: string, { settings, texts }: Secrets): string {
  const words = texts.flatMap((one) => decode(one).toLowerCase().match(WORD) ?? []);
  // The last word of a text that was cut is the beginning of one.
  const isOfMessage = (word: string) => words.some((known) => known.startsWith(word));
  let redacted = decode(text);
  for (const setting of settings) {
    if (setting.length < SETTING_LENGTH_MIN) continue;
    redacted = redacted.replaceAll(setting, HIDDEN);
  }
  return redacted
    .replace(TOKEN, (run) => (/\d/.test(run) || run.length > WORD_LENGTH_MAX ? HIDDEN : run))
    .replace(DIGITS, HIDDEN)
    .replace(WORD, (word) => (isOfMessage(word.toLowerCase()) ? HIDDEN : word))
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
}

/** Without the escapes of JSON, HTML and URLs, which may stand in one another. */
function decode(text: string): string {
  let decoded = text;
  for (let i = 0; i < DECODINGS_MAX; i++) {
    decoded = decoded
      .replace(/\\u([0-9a-f]{4})/gi, (_, hex) => toCharacter(Number.parseInt(hex, 16)))
      .replace(/&#x([0-9a-f]{1,6});?/gi, (_, hex) => toCharacter(Number.parseInt(hex, 16)))
      .replace(/&#(\d{1,7});?/g, (_, digits) => toCharacter(Number(digits)))
      .replace(/(?:%[0-9a-f]{2})+/gi, (escaped) =>
        Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8'),
      );
  }
  return decoded;
}

function toCharacter(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}
