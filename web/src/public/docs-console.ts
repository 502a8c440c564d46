/** The console of the API: a call from this page with a test key. */
import { checkKey, storedKey, storeKey } from './docs-key.ts';

const SHOWN_HEADERS = /^(?:content-type|x-request-id|retry-after|ratelimit|idempotent|x-test-mode)/;

const form = document.querySelector<HTMLFormElement>('[data-console]');
const answer = document.querySelector<HTMLElement>('[data-console-answer]');
if (form !== null && answer !== null) setUpConsole(form, answer);

function setUpConsole(form: HTMLFormElement, answer: HTMLElement): void {
  const find = <Found extends HTMLElement>(holder: HTMLElement, selector: string) =>
    holder.querySelector<Found>(selector) as Found;
  const operation = find<HTMLSelectElement>(form, 'select');
  const keyInput = find<HTMLInputElement>(form, 'input');
  const body = find<HTMLTextAreaElement>(form, 'textarea');
  const send = find<HTMLButtonElement>(form, 'button[type=submit]');
  const format = find<HTMLButtonElement>(form, '[data-console-format]');
  const status = find<HTMLElement>(form, '[data-console-status]');
  const words = form.dataset;
  const say = (text: string | undefined) => {
    status.textContent = text ?? '';
  };

  const fillBody = () => {
    body.value = operation.selectedOptions[0]?.dataset.body ?? '';
  };
  const readJson = (): unknown => {
    try {
      return JSON.parse(body.value);
    } catch (error) {
      say(`${words.brokenJson} ${(error as Error).message}`);
      body.focus();
      return undefined;
    }
  };

  keyInput.value = storedKey() ?? words.sandboxKey ?? '';
  fillBody();
  send.disabled = false;
  format.disabled = false;
  operation.addEventListener('change', fillBody);
  format.addEventListener('click', () => {
    const value = readJson();
    if (value === undefined) return;
    body.value = JSON.stringify(value, null, 2);
    say('');
  });

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = keyInput.value.trim();
    const problem = checkKey(key);
    keyInput.toggleAttribute('aria-invalid', problem !== undefined);
    if (problem !== undefined) {
      say(problem === 'live' ? words.liveKey : words.noKey);
      keyInput.focus();
      return;
    }
    if (readJson() === undefined) return;
    if (key !== words.sandboxKey) storeKey(key);
    void run(key);
  });

  const run = async (key: string) => {
    send.disabled = true;
    say(words.sending);
    const started = performance.now();
    try {
      const response = await fetch(`/api${operation.value}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: body.value,
      });
      const text = await response.text();
      show(response, text, Math.round(performance.now() - started));
      say('');
    } catch {
      say(words.noConnection);
    } finally {
      send.disabled = false;
    }
  };

  const show = (response: Response, text: string, ms: number) => {
    const said = parse(text);
    find(answer, '[data-console-code]').textContent = `HTTP ${response.status}`;
    find(answer, '[data-console-time]').textContent = `${ms} ${words.ms}`;
    find(answer, '[data-console-json]').textContent =
      said === undefined ? text : JSON.stringify(said, null, 2);
    find(answer, '[data-console-headers]').textContent = [...response.headers]
      .filter(([name]) => SHOWN_HEADERS.test(name))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
    const link = find<HTMLAnchorElement>(answer, '[data-console-error]');
    const code = typeof said?.error_code === 'string' ? said.error_code : undefined;
    link.hidden = code === undefined;
    if (code !== undefined) {
      link.href = `/docs/errors/${encodeURIComponent(code)}?lang=${words.lang}`;
      link.textContent = `${words.errorPage}: ${code}`;
    }
    answer.hidden = false;
    if (code === 'origin_not_allowed' || code === 'origin_required') say(words.originHint);
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
