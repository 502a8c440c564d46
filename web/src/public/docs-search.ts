import type { SearchEntry } from '@zhiber/contract/pages/docs.ts';
import { type SearchResult, searchDocs } from '@zhiber/contract/pages/docs-search.ts';

const RESULTS_MAX = 8;

/**
 * Results below the field while somebody types: a combobox with a list of options. The index is
 * fetched when the field is first used. Without it the form still leads to a page of results.
 */
export function setUpSearch(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type=search]') as HTMLInputElement;
  const words = form.dataset;
  const lang = document.documentElement.lang;
  const list = document.createElement('div');
  list.id = 'docs-search-results';
  list.className = 'docs-search-results';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', words.results ?? '');
  list.hidden = true;
  const status = document.createElement('p');
  status.className = 'visually-hidden';
  status.setAttribute('role', 'status');
  const empty = document.createElement('p');
  empty.className = 'docs-search-results note';
  empty.hidden = true;
  form.append(list, empty, status);
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  })) {
    input.setAttribute(name, value);
  }

  let index: Promise<readonly SearchEntry[]> | undefined;
  let active = -1;
  const load = () => {
    index ??= fetch(words.index ?? '').then((response) => {
      if (!response.ok) throw new Error(response.statusText);
      return response.json() as Promise<SearchEntry[]>;
    });
    return index;
  };

  const close = () => {
    list.hidden = true;
    empty.hidden = true;
    activate(-1);
    input.setAttribute('aria-expanded', 'false');
  };
  const activate = (next: number) => {
    active = next;
    for (const [position, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(position === next));
      if (position === next) option.scrollIntoView({ block: 'nearest' });
    }
    if (next < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', list.children[next]?.id ?? '');
  };
  const say = (text: string) => {
    status.textContent = text;
    empty.textContent = text;
    empty.hidden = false;
  };
  const show = (results: readonly SearchResult[]) => {
    list.replaceChildren(...results.map((result, position) => optionOf(result, position, lang)));
    list.hidden = results.length === 0;
    input.setAttribute('aria-expanded', String(results.length > 0));
    activate(-1);
    if (results.length === 0) say(words.nothing ?? '');
    else {
      empty.hidden = true;
      status.textContent = `${words.found} ${results.length}`;
    }
  };
  const search = async () => {
    const query = input.value;
    if (query.trim() === '') {
      close();
      return;
    }
    try {
      const entries = await load();
      if (input.value === query) show(searchDocs(entries, query, RESULTS_MAX));
    } catch {
      index = undefined;
      say(words.failed ?? '');
    }
  };

  input.addEventListener('focus', () => void load().catch(() => undefined), { once: true });
  input.addEventListener('input', () => void search());
  input.addEventListener('keydown', (event) => {
    const count = list.hidden ? 0 : list.children.length;
    if (event.key === 'Escape') {
      if (!list.hidden || !empty.hidden) event.preventDefault();
      close();
    } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // Past either end comes the field itself.
      activate(((active + 1 + step + count + 1) % (count + 1)) - 1);
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      (list.children[active] as HTMLElement | undefined)?.click();
      close();
    }
  });
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget as Node | null)) close();
  });
  // Nobody types a slash elsewhere: the shortcut leaves fields alone.
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).closest(
      'input, textarea, select, [contenteditable]',
    );
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

/** An option that is a link, so that it can also be opened in another tab. */
function optionOf({ entry, excerpt }: SearchResult, position: number, lang: string): HTMLElement {
  const link = document.createElement('a');
  link.id = `docs-search-${position}`;
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', 'false');
  const [path = '', anchor] = entry.url.split('#');
  link.href = `${path}?lang=${lang}${anchor === undefined ? '' : `#${anchor}`}`;
  link.tabIndex = -1;
  const title = document.createElement('strong');
  title.textContent = entry.heading || entry.page;
  const page = document.createElement('small');
  page.textContent = entry.heading === '' ? '' : entry.page;
  const text = document.createElement('span');
  for (const part of excerpt) {
    const piece = document.createElement(part.isMatch ? 'mark' : 'span');
    piece.textContent = part.text;
    text.append(piece);
  }
  link.append(title, page, text);
  return link;
}
