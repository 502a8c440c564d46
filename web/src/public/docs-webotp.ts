/** The demo form: sends a code with a test key, reads the virtual phone, and checks the code. */
import { storedKey } from './docs-key.ts';

const WAIT_SECONDS = 20;
const PURPOSE = 'webotp-demo';

type Message = { channel: string; text: string; code?: string | null };

const demo = document.querySelector<HTMLElement>('[data-webotp]');
if (demo !== null) setUpDemo(demo);

function setUpDemo(demo: HTMLElement): void {
  const find = <Found extends HTMLElement>(selector: string) =>
    demo.querySelector<Found>(selector) as Found;
  const phone = find<HTMLInputElement>('#demo-phone');
  const code = find<HTMLInputElement>('#demo-code');
  const status = find<HTMLElement>('[data-webotp-status]');
  const words = demo.dataset;
  const say = (text: unknown) => {
    status.textContent = String(text ?? '');
  };
  const readKey = () =>
    storedKey() ?? document.querySelector<HTMLElement>('[data-key-panel]')?.dataset.sandboxKey;

  const call = async (path: string, key: string, body?: object) => {
    const response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };

  const show = (message: Message) => {
    const item = document.createElement('li');
    const channel = document.createElement('small');
    channel.textContent = message.channel;
    const text = document.createElement('p');
    text.textContent = message.text;
    item.append(channel, text);
    find('[data-webotp-phone]').append(item);
    find('[data-webotp-empty]').hidden = true;
  };

  const submit = (selector: string, action: (key: string) => Promise<void>) => {
    find<HTMLFormElement>(selector).addEventListener('submit', (event) => {
      event.preventDefault();
      const key = readKey();
      if (key === undefined) say(words.noKey);
      else action(key).catch(() => say(words.failed));
    });
  };

  submit('[data-webotp-send]', async (key) => {
    const since = new Date().toISOString();
    const recipient = phone.value.trim();
    const body = { phone: recipient, purpose: PURPOSE };
    const sent = await call('/api/otp/send', key, body);
    say(sent.success === true ? words.sent : sent.message);
    if (sent.success !== true) return;
    code.value = '';
    code.focus();
    listenForCode(code, () => say(words.autofill));
    const query = new URLSearchParams({ phone: recipient, since, wait: String(WAIT_SECONDS) });
    const inbox = await call(`/sandbox/messages?${query}`, key);
    for (const message of (inbox.messages ?? []) as Message[]) show(message);
  });

  submit('[data-webotp-check]', async (key) => {
    const body = { phone: phone.value.trim(), code: code.value.trim(), purpose: PURPOSE };
    const checked = await call('/api/otp/verify', key, body);
    say(checked.success === true ? words.right : checked.message);
  });
}

type OtpCredential = { code: string };
type OtpRequest = CredentialRequestOptions & { otp: { transport: string[] } };

let waiting: AbortController | undefined;

/** WebOTP, where the browser has it: the code of an SMS that names this site. */
function listenForCode(input: HTMLInputElement, onFilled: () => void): void {
  if (!('OTPCredential' in window)) return;
  waiting?.abort();
  waiting = new AbortController();
  const request: OtpRequest = { otp: { transport: ['sms'] }, signal: waiting.signal };
  void navigator.credentials
    .get(request)
    .then((found) => {
      const code = (found as unknown as OtpCredential | null)?.code;
      if (code === undefined) return;
      input.value = code;
      onFilled();
    })
    // The person may refuse, or type the code instead.
    .catch(() => undefined);
}
