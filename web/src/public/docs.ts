/** The entry of the documentation: its styles, search, examples and key. */
import './docs.css';
import './docs-search.css';
import './docs-text.css';
import './docs-code.css';
import './docs-tools.css';
// Last, because it changes the others for narrow screens and for paper.
import './docs-media.css';
import { rememberedForm, rememberedLanguage, rememberLanguage } from '../snippets/code-language.ts';
import { copyText } from '../snippets/copy.ts';
import { setUpKeyPanel } from './docs-key-panel.ts';
import { setUpSearch } from './docs-search.ts';

const COPIED_MS = 2_000;

const search = document.querySelector<HTMLFormElement>('.docs-search');
if (search !== null) setUpSearch(search);
const panel = document.querySelector<HTMLElement>('[data-key-panel]');
if (panel !== null) setUpKeyPanel(panel);
setUpLanguages();
setUpPageCopy();
setUpErrorFilter();
setUpHeadings();

/** One language for all examples, remembered for every page of this site. */
function setUpLanguages(): void {
  const examples = [...document.querySelectorAll<HTMLDetailsElement>('details[data-form]')];
  const open = (form: string) => {
    // The name keeps one of a group open: the others close by themselves.
    for (const example of examples) {
      if (example.dataset.form === form) example.open = true;
    }
  };
  for (const example of examples) {
    const summary = example.querySelector('summary');
    summary?.addEventListener('click', (event) => {
      event.preventDefault();
      const top = summary.getBoundingClientRect().top;
      open(example.dataset.form ?? '');
      rememberLanguage(example.dataset.form ?? '');
      // Examples above may have become longer; what was pressed stays where it was.
      window.scrollBy(0, summary.getBoundingClientRect().top - top);
    });
  }
  if (examples.length === 0) return;
  // An example that has no second form opens in the first.
  open(rememberedLanguage());
  open(rememberedForm());
}

function setUpPageCopy(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-copy-page]');
  const label = button?.querySelector('span');
  if (!button || !label) return;
  const { copyPage = '', copied = '', failed = '' } = button.dataset;
  const text = label.textContent;
  button.hidden = false;
  button.addEventListener('click', () => {
    void fetch(copyPage)
      .then((response) => response.text())
      .then(copyText)
      .catch(() => false)
      .then((isCopied) => {
        label.textContent = isCopied ? copied : failed;
        setTimeout(() => {
          label.textContent = text;
        }, COPIED_MS);
      });
  });
}

/** Rows of the table of errors that have the typed words. */
function setUpErrorFilter(): void {
  const form = document.querySelector<HTMLFormElement>('[data-errors-filter]');
  const none = document.querySelector<HTMLElement>('[data-errors-none]');
  const input = form?.querySelector<HTMLInputElement>('input[type=search]');
  // A table that the server has filtered is not whole; there the form asks the server again.
  if (!form || !input || none === null || input.value !== '') return;
  const rows = [...document.querySelectorAll<HTMLTableRowElement>('.errors tbody tr')];
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent?.toLowerCase() ?? '';
      row.hidden = !words.every((word) => text.includes(word));
    }
    none.textContent = rows.every((row) => row.hidden) ? (none.dataset.nothing ?? '') : '';
  });
}

/** Marks the section that is being read in the list of headings. */
function setUpHeadings(): void {
  const links = new Map(
    [
      ...document.querySelectorAll<HTMLAnchorElement>('.docs-toc a, .docs-nav .docs-sections a'),
    ].map((link) => [link.hash.slice(1), link]),
  );
  const observer = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        for (const [id, link] of links) {
          if (id === target.id) link.setAttribute('aria-current', 'true');
          else link.removeAttribute('aria-current');
        }
      }
    },
    { rootMargin: '0px 0px -70% 0px' },
  );
  for (const id of links.keys()) {
    const heading = document.getElementById(id);
    if (heading !== null) observer.observe(heading);
  }
}
