import { checkKey, storedKey, storeKey } from './docs-key.ts';

const MENTIONED = '[data-key]';

/** Fills the reader's test key into all code of the page: pasted, or created in the cabinet. */
export function setUpKeyPanel(panel: HTMLElement): void {
  const find = <Found extends HTMLElement>(selector: string) =>
    panel.querySelector<Found>(selector) as Found;
  const form = find<HTMLFormElement>('[data-key-form]');
  const input = find<HTMLInputElement>('input');
  const create = find<HTMLButtonElement>('[data-key-create]');
  const forget = find<HTMLButtonElement>('[data-key-forget]');
  const source = find<HTMLElement>('[data-key-source]');
  const status = find<HTMLElement>('[data-key-status]');
  const words = panel.dataset;
  const printed = source.textContent;
  const original = document.querySelector(MENTIONED)?.textContent ?? '';

  const show = (key: string | undefined) => {
    fillKey(key, original);
    source.textContent = key === undefined ? printed : `${words.own} ${key}`;
    forget.hidden = key === undefined;
  };
  const fill = (key: string, said: string | undefined) => {
    storeKey(key);
    show(key);
    input.value = '';
    status.textContent = said ?? '';
  };

  find('[data-key-details]').hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = input.value.trim();
    const problem = checkKey(key);
    input.toggleAttribute('aria-invalid', problem !== undefined);
    if (problem === undefined) fill(key, words.filled);
    else status.textContent = words[problem] ?? '';
  });
  forget.addEventListener('click', () => {
    storeKey(undefined);
    show(undefined);
    status.textContent = words.forgotten ?? '';
    input.focus();
  });
  create.addEventListener('click', () => {
    create.disabled = true;
    void createKey(words.keyName ?? '').then((made) => {
      create.disabled = false;
      if ('key' in made) fill(made.key, words.created);
      else {
        const said = made.code === 'stale_sign_in' ? words.stale : words.notCreated;
        status.textContent = [said, made.message].filter(Boolean).join(' ');
      }
    });
  });
  if (words.hasSession !== undefined) void offerCreating(create);

  const own = storedKey();
  if (own !== undefined) show(own);
}

/** Writes a key into the code; without one, what the page was printed with comes back. */
function fillKey(key: string | undefined, original: string): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(
    'template[data-with-key]',
  )) {
    const shown = template.nextElementSibling;
    if (shown?.hasAttribute('data-shown-key')) shown.remove();
    if (key === undefined) continue;
    const line = document.createElement('span');
    line.setAttribute('data-shown-key', '');
    line.append(template.content.cloneNode(true));
    template.after(line);
  }
  for (const line of document.querySelectorAll<HTMLElement>('[data-without-key]')) {
    // Kept as an attribute of the element, so that a copy of the code does not have it.
    line.dataset.line ??= line.innerHTML;
    line.innerHTML = key === undefined ? line.dataset.line : '';
  }
  for (const place of document.querySelectorAll(MENTIONED)) place.textContent = key ?? original;
}

type Made = { key: string } | { code: string; message: string };

/** The cabinet's own endpoint checks the right, and that the sign-in is fresh. */
async function createKey(name: string): Promise<Made> {
  const answer = await callCabinet('POST', '/cabinet/keys', { name, mode: 'test' });
  if (typeof answer?.key === 'string') return { key: answer.key };
  return { code: String(answer?.error_code ?? ''), message: String(answer?.message ?? '') };
}

async function offerCreating(button: HTMLButtonElement): Promise<void> {
  const session = await callCabinet('GET', '/cabinet/session');
  const company = session?.company as { rights?: string[] } | null | undefined;
  button.hidden = company?.rights?.includes('keys.change') !== true;
}

async function callCabinet(
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        'x-zhiber-cabinet': '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
