import { html } from '../../pages/html.ts';
import type { Lang } from '../../pages/language.ts';
import { renderPage } from '../../pages/layout.ts';

const TEXTS = {
  ru: {
    title: 'Кабинет не собран',
    before: 'API работает. Чтобы открылся кабинет, выполните',
    after: 'и запустите сервер снова.',
  },
  kk: {
    title: 'Кабинет құрастырылмаған',
    before: 'API жұмыс істеп тұр. Кабинет ашылуы үшін мына пәрменді орындаңыз:',
    after: 'содан кейін серверді қайта іске қосыңыз.',
  },
  en: {
    title: 'The cabinet has not been built',
    before: 'The API works. To open the cabinet, run',
    after: 'and start the server again.',
  },
} as const satisfies Record<Lang, object>;

/** Stands in for the cabinet where its files are missing, and says what to do about it. */
export function notBuiltPage({ lang, isSandbox }: { lang: Lang; isSandbox: boolean }): string {
  const texts = TEXTS[lang];
  return renderPage({
    lang,
    title: texts.title,
    body: html`<div class="prose">
<h1>${texts.title}</h1>
<p>${texts.before} <code>npm run build</code> ${texts.after}</p>
</div>`,
    shell: 'site',
    isSandbox,
    isIndexed: false,
    styles: ['styles/documents.css'],
  });
}
