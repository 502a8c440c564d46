/** The public pages of an installation whose operator has published terms, and no privacy policy. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { CHANGE_TAGS } from '@zhiber/contract/pages/changelog.ts';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { listPrices, setPrice } from '../../src/billing/manage-prices.ts';
import { BadConfig } from '../../src/config/config.ts';
import { readLegalDocument } from '../../src/http/pages/legal-pages.ts';
import { useService } from '../harness.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const folder = createTemporaryFolder('site-pages');
const TERMS = path.join(folder, 'terms.md');
writeFileSync(TERMS, '# Условия ТОО\n\n<script>alert(1)</script>\n\n[а](javascript:alert(1))\n');
writeFileSync(path.join(folder, 'terms.en.md'), 'Plain terms, without a heading.');
after(() => rmSync(folder, { recursive: true, force: true }));

const service = useService({
  env: {
    TERMS_FILE: TERMS,
    SUPPORT_CONTACT: 'mailto:help@zhiber.example',
    SELLER_NAME: 'ТОО «Жібер & Ко»',
    SELLER_BIN: '123456789012',
    SELLER_ADDRESS: 'Алматы, пр. Абая, 1',
    TOPUP_MIN: '2500',
  },
});

const BROWSER = { accept: 'text/html,*/*;q=0.8' };
const get = (url: string, headers: Record<string, string> = {}) =>
  service.http.inject({ url, headers: { ...BROWSER, ...headers } });

async function open(url: string, status = 200): Promise<string> {
  const { statusCode, body } = await get(url);
  assert.equal(statusCode, status, url);
  return body;
}

/** The words of a page, with plain spaces. */
function wordsOf(page: string): string {
  const main = /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? '';
  return main
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[\s\u{a0}]+/gu, ' ')
    .replaceAll('&amp;', '&');
}

describe('the frame', () => {
  test('leads to every section in the language of the page, and marks the present one', async () => {
    const page = await open('/pricing?lang=kk');
    for (const section of ['/docs', '/pricing', '/status', '/changelog', '/try']) {
      assert(page.includes(`href="${section}?lang=kk"`), section);
    }
    assert.deepEqual(page.match(/aria-current="page">[^<]+/g), ['aria-current="page">Бағалар']);
    assert.match(
      await open('/docs/errors/not_found'),
      /href="\/docs\?lang=ru" aria-current="true"/,
    );
  });

  test('names one address for each language', async () => {
    const page = await open('/changelog?lang=en');
    const { publicUrl } = service.ctx.urls;
    assert(page.includes(`<link rel="canonical" href="${publicUrl}/changelog?lang=en">`));
    const alternates = [
      ...page.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g),
    ];
    assert.deepEqual(
      alternates.map(([, lang, href]) => [lang, href]),
      [
        ...['ru', 'kk', 'en'].map((lang) => [lang, `${publicUrl}/changelog?lang=${lang}`]),
        ['x-default', `${publicUrl}/changelog`],
      ],
    );
    assert.match(page, /<meta name="description" content="[^"]{20,}">/);
    assert.match(page, /<meta property="og:title" content="Change log · Zhiber">/);
  });

  test('names the operator, the support and the documents that there are', async () => {
    const page = await open('/');
    const foot = /<footer[\s\S]*<\/footer>/.exec(page)?.[0] ?? '';
    assert.match(foot, /ТОО «Жібер &amp; Ко»/);
    assert.match(foot, /<a href="mailto:help@zhiber\.example">help@zhiber\.example<\/a>/);
    assert.match(foot, /href="\/terms\?lang=ru"/);
    assert.doesNotMatch(foot, /\/privacy/);
    assert.match(wordsOf(page), /ТОО «Жібер & Ко» , БИН\/ИИН 123456789012\. Адрес: Алматы/);
  });

  test('has the theme that was chosen on this site, and no other word of a cookie', async () => {
    const classOf = async (cookie: string) =>
      /<html lang="\w+"([^>]*)>/.exec((await get('/pricing', { cookie })).body)?.[1];
    assert.equal(await classOf('theme=dark'), ' class="dark"');
    assert.equal(await classOf('a=b; theme=light'), ' class="light"');
    for (const cookie of ['theme=system', 'theme="><script>', 'mytheme=dark', '']) {
      assert.equal(await classOf(cookie), '', cookie);
    }
  });

  test('is not sent again to a browser that has it, unless it reads another one', async () => {
    const { headers } = await get('/pricing');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers.vary, 'accept-language, cookie');
    const known = { 'if-none-match': String(headers.etag) };
    assert.deepEqual(
      [(await get('/pricing', known)).statusCode, (await get('/pricing', known)).body],
      [304, ''],
    );
    for (const other of [{ cookie: 'theme=dark' }, { 'accept-language': 'en' }]) {
      assert.equal((await get('/pricing', { ...known, ...other })).statusCode, 200);
    }
  });
});

describe('prices', () => {
  test('are those in force for everybody, and no company has its own shown', async () => {
    const companyId = await service.company();
    await setPrice(service.ctx, {}, { item: 'sms', tokens: 11, by: 'тест' });
    await setPrice(service.ctx, {}, { item: 'whatsapp', tokens: 777, companyId, by: 'тест' });
    assert.equal((await listPrices(service.ctx)).prices.sms, 11);
    // A node reads new prices within a second.
    let words = '';
    const deadline = performance.now() + 20_000;
    while (!words.includes('SMS 11 ₸') && performance.now() < deadline) {
      words = wordsOf(await open('/pricing'));
    }
    assert.match(words, /Сообщение в WhatsApp 3 ₸ за сообщение/);
    assert.match(words, /SMS 11 ₸ за сообщение/);
    assert.match(words, /в группу мессенджера 0 ₸ бесплатно/);
    assert.match(words, /Пополнение от 2 500 ₸/);
    assert.doesNotMatch(words, /777/);
    const home = wordsOf(await open('/?lang=en'));
    assert.match(home, /WhatsApp 3 ₸ per message/);
    assert.match(home, /SMS 11 ₸ per message/);
  });

  test('are calculated without a script', async () => {
    const words = async (query: string) => wordsOf(await open(`/pricing?lang=en&${query}`));
    assert.match(
      await words('messages=20000&whatsapp=50&telegram=0&sms=50'),
      /Total a month 140\s000 ₸/,
    );
    assert.match(await words('messages=3&whatsapp=33&telegram=33&sms=34'), /Total a month 17 ₸/);
    assert.match(await words('messages=100&whatsapp=50&sms=40'), /add up to 100. Now: 90/);
    assert.match(await words('messages=0&whatsapp=100'), /from 1 to 100,000,000/);
    assert.match(await words('messages=1e9&whatsapp=100'), /from 1 to 100,000,000/);
    assert.match(await words('messages=10&whatsapp=-1&sms=101'), /add up to 100/);
  });

  test('keep what was typed in the other languages, and escape it', async () => {
    const page = await open('/pricing?messages=%22%3E%3Cb%3E&whatsapp=100&lang=ru');
    assert.doesNotMatch(page, /"><b>/);
    assert.match(page, /value="&quot;&gt;&lt;b&gt;" aria-invalid="true"/);
    assert.match(page, /href="\?messages=%22%3E%3Cb%3E&amp;whatsapp=100&amp;lang=kk"/);
  });
});

test('the home page shows code in six languages for this very server', async () => {
  const page = await open('/?lang=ru');
  const languages = [...page.matchAll(/name="code-language" value="(\w+)"/g)].map(([, id]) => id);
  assert.deepEqual(languages, ['curl', 'node', 'python', 'php', 'go', 'csharp']);
  const shown = page.split(`${service.ctx.urls.publicUrl}/api/otp/send`).length - 1;
  assert.equal(shown, 6);
  assert.doesNotMatch(page, /\.invalid/);
});

describe('the change log', () => {
  test('goes back from month to month to July 2026, and each entry has an address', async () => {
    const page = await open('/changelog?lang=ru');
    const months = [...page.matchAll(/<h2 id="(\d{4}-\d\d)">/g)].map(([, month]) => month);
    assert.deepEqual(months, ['2026-11', '2026-10', '2026-09', '2026-08', '2026-07']);
    const ids = [...page.matchAll(/<li id="(\d{4}-\d\d-[a-z-]+)">/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert(page.includes(`href="#${id}"`), id);
    const words = wordsOf(page);
    assert.match(words, /Ноябрь 2026/);
    assert(words.indexOf('Основные методы API не менялись') < words.indexOf('Ноябрь 2026'));
    assert.match(words, /Deprecation и Sunset/);
    for (const month of ['Қазан 2026', 'Шілде 2026']) {
      assert(wordsOf(await open('/changelog?lang=kk')).includes(month), month);
    }
  });

  type Entry = {
    id: string;
    title: string;
    updated: string;
    content: { '#text': string };
    link: { '@_href': string };
    category: { '@_term': string };
  };
  type Feed = { feed: { id: string; title: string; updated: string; entry: Entry[] } };

  test('is an Atom feed that a parser of others reads', async () => {
    const answer = await get('/changelog.atom?lang=en');
    assert.equal(answer.headers['content-type'], 'application/atom+xml; charset=utf-8');
    assert.equal(answer.headers['cache-control'], 'public, max-age=3600');
    assert.equal(XMLValidator.validate(answer.body), true);
    const { feed } = new XMLParser({ ignoreAttributes: false }).parse(answer.body) as Feed;
    const { publicUrl } = service.ctx.urls;
    assert.equal(feed.id, `${publicUrl}/changelog.atom?lang=en`);
    assert.match(feed.updated, /^2026-\d\d-\d\dT00:00:00\+05:00$/);
    assert(feed.entry.length > 20);
    assert.equal(new Set(feed.entry.map(({ id }) => id)).size, feed.entry.length);
    const page = await open('/changelog?lang=en');
    for (const { id, title, updated, content, link, category } of feed.entry) {
      assert(updated <= feed.updated && !Number.isNaN(Date.parse(updated)), id);
      assert(title.length > 10 && title.length < 200 && content['#text'].length > 5, title);
      assert((CHANGE_TAGS as readonly string[]).includes(category['@_term']), id);
      const { hash, pathname } = new URL(link['@_href']);
      assert.equal(pathname, '/changelog');
      assert(page.includes(`<li id="${hash.slice(1)}">`), hash);
    }
    const updates = feed.entry.map(({ updated }) => updated);
    assert.deepEqual(updates, updates.toSorted().reverse());
  });

  test('is a JSON Feed 1.1 with the same entries in every language', async () => {
    const read = async (lang: string) => {
      const answer = await get(`/changelog.json?lang=${lang}`);
      assert.equal(answer.headers['content-type'], 'application/feed+json; charset=utf-8');
      return answer.json();
    };
    const [ru, kk] = [await read('ru'), await read('kk')];
    assert.equal(ru.version, 'https://jsonfeed.org/version/1.1');
    assert.equal(ru.feed_url, `${service.ctx.urls.publicUrl}/changelog.json?lang=ru`);
    assert.equal(kk.language, 'kk');
    for (const item of ru.items) {
      assert(typeof item.id === 'string' && item.content_text.length > 5, item.id);
      assert.match(item.date_published, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:00$/);
    }
    const idsOf = (feed: { items: { id: string }[] }) => feed.items.map(({ id }) => id);
    assert.deepEqual(idsOf(kk), idsOf(ru));
    assert.notEqual(kk.items[0].content_text, ru.items[0].content_text);
  });

  test('is offered to readers of feeds, and not sent twice', async () => {
    const page = await open('/changelog?lang=kk');
    assert.match(
      page,
      /rel="alternate" type="application\/atom\+xml"[^>]+href="\/changelog\.atom\?lang=kk"/,
    );
    const { headers } = await get('/changelog.json');
    const again = await get('/changelog.json', { 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
  });
});

describe('an address that leads nowhere', () => {
  const CASES: [address: string, link: string][] = [
    ['/princing?lang=en', '<a href="/pricing?lang=en">Pricing</a>'],
    [
      '/docs/errors/invalid-phone',
      '<a href="/docs/errors/invalid_phone?lang=ru" translate="no">invalid_phone</a>',
    ],
    ['/errors/insuficient_tokens', '/docs/errors/insufficient_tokens?lang=ru'],
    ['/term?lang=kk', '<a href="/terms?lang=kk">Пайдалану шарттары</a>'],
  ];
  for (const [address, link] of CASES) {
    test(`${address} suggests the nearest page`, async () => {
      assert((await open(address, 404)).includes(link));
    });
  }

  test('suggests nothing where nothing is near', async () => {
    assert.doesNotMatch(await open('/wp-login.php', 404), /class="suggestions"/);
  });
});

describe('the documents of the operator', () => {
  test('are shown in their language, and nothing in them is run', async () => {
    const page = await open('/terms?lang=ru');
    assert.match(page, /<article lang="ru"><h1>Условия ТОО<\/h1>/);
    assert.doesNotMatch(page, /<script>|href="javascript/);
    assert.match(page, /&lt;script&gt;alert\(1\)/);
  });

  test('have a heading when the text has none', async () => {
    const page = await open('/terms?lang=en');
    assert.match(page, /<h1>Terms of service<\/h1>\s*<article lang="en"><p>Plain terms/);
  });

  test('that nobody has translated are shown in Russian, and say so', async () => {
    const page = await open('/terms?lang=kk');
    assert.match(page, /әзірге тек орыс тілінде/);
    assert.match(page, /<article lang="ru"><h1>Условия ТОО/);
  });

  test('that were never published are not pretended', async () => {
    for (const lang of ['ru', 'kk', 'en']) {
      const page = await open(`/privacy?lang=${lang}`, 404);
      assert.match(page, /<meta name="robots" content="noindex">/);
      assert.match(page, /песочница|құмсалғыш|sandbox/);
    }
  });

  test('stop the start when their file is not there', () => {
    const read = () => readLegalDocument('TERMS_FILE', path.join(folder, 'none.md'));
    assert.throws(read, (error) => error instanceof BadConfig && /TERMS_FILE/.test(error.message));
  });
});

describe('sitemap.xml', () => {
  test('lists the public pages in each language', async () => {
    const { headers, body } = await get('/sitemap.xml');
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8');
    assert.equal(XMLValidator.validate(body), true);
    const { publicUrl } = service.ctx.urls;
    const { urlset } = new XMLParser().parse(body) as { urlset: { url: { loc: string }[] } };
    const listed = new Set(urlset.url.map(({ loc }) => loc.replace(publicUrl, '')));
    for (const address of ['/', '/pricing', '/changelog', '/terms', '/docs/errors/invalid_phone']) {
      for (const lang of ['ru', 'kk', 'en']) {
        assert(listed.has(`${address}?lang=${lang}`), address);
        await open(`${address}?lang=${lang}`);
      }
    }
    assert(!listed.has('/privacy?lang=ru') && !listed.has('/app?lang=ru'));
    const robots = (await get('/robots.txt')).body;
    assert(robots.includes(`\nSitemap: ${publicUrl}/sitemap.xml\n`));
  });
});
