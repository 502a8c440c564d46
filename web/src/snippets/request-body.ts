/** What can be typed for a request; an empty field counts as absent. */
export type RequestFields = Record<
  | 'phone'
  | 'purpose'
  | 'channel'
  | 'link'
  | 'url'
  | 'text'
  | 'alias'
  | 'expiresIn'
  | 'group'
  | 'code',
  string
>;
/** The path under the base address of the API, and the body. */
export type ApiRequest = { path: string; body: Record<string, string | number> };

type Field = [name: string, value: string | number];
type Request = { path: string; required: Field[]; optional: Field[] };

const REQUESTS = {
  otpSend: ({ phone, purpose, channel, link }) => ({
    path: '/otp/send',
    required: [['phone', phone]],
    optional: [
      ['purpose', purpose],
      ['channel', channel],
      ['link', link],
    ],
  }),
  otpVerify: ({ phone, code, purpose }) => ({
    path: '/otp/verify',
    required: [
      ['phone', phone],
      ['code', code],
    ],
    optional: [['purpose', purpose]],
  }),
  linkSend: ({ phone, url, channel, text }) => ({
    path: '/links/send',
    required: [
      ['phone', phone],
      ['url', url],
      ['channel', channel],
    ],
    optional: [['text', text]],
  }),
  linkShorten: ({ url, alias, expiresIn }) => ({
    path: '/links/shorten',
    required: [['url', url]],
    optional: [
      ['alias', alias],
      ['expires_in', wholeNumber(expiresIn)],
    ],
  }),
  groupSend: ({ group, text, channel, link }) => ({
    path: '/group/send',
    required: [
      ['group', group],
      ['text', text],
    ],
    optional: [
      ['channel', channel],
      ['link', link],
    ],
  }),
} as const satisfies Record<string, (fields: RequestFields) => Request>;

export type Operation = keyof typeof REQUESTS;

/** The request that the fields stand for. Empty optional ones are left out. */
export function requestOf(operation: Operation, fields: RequestFields): ApiRequest {
  const { path, required, optional } = REQUESTS[operation](trimmed(fields)) as Request;
  const given = optional.filter(([, value]) => value !== '');
  return { path, body: Object.fromEntries([...required, ...given]) };
}

function trimmed(fields: RequestFields): RequestFields {
  const entries = Object.entries(fields).map(([name, value]) => [name, value.trim()]);
  return Object.fromEntries(entries) as RequestFields;
}

/** A number is sent as a number; anything else goes out as typed, for the API to answer. */
function wholeNumber(value: string): string | number {
  return /^\d+$/.test(value) ? Number(value) : value;
}
