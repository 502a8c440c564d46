import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import { PUBLIC_TEXTS } from '../../src/texts/public.ts';
import { type BuiltDocs, buildDocs } from './build-docs.ts';
import { compareLines } from './compare-lines.ts';
import { highlightedLines } from './highlight.ts';

const FRONT = '---\ntitle: Title: with a colon\ndescription: What it says\n---\n';

const navigation = [
  { titles: { ru: 'Группа', kk: 'Топ', en: 'Group' }, slugs: ['index', 'codes', 'api', 'errors'] },
];

/** The same Markdown in all languages, unless a language has its own; null is no file. */
function build(
  pages: Record<string, string | Partial<Record<Lang, string | null>>>,
  mustBeComplete = false,
): BuiltDocs {
  const sources = Object.entries(pages).flatMap(([slug, page]) =>
    LANGS.flatMap((lang) => {
      const body = typeof page === 'string' ? page : page[lang];
      return body === null || body === undefined ? [] : [{ lang, slug, source: FRONT + body }];
    }),
  );
  return buildDocs({
    sources,
    navigation,
    serverPages: ['api', 'errors'],
    texts: PUBLIC_TEXTS,
    mustBeComplete,
  });
}

const html = (body: string) => build({ index: body }).pages.ru.index?.html ?? '';
const markdown = (body: string) => build({ index: body }).pages.en.index?.markdown ?? '';

describe('a mistake in a page stops the build with one sentence:', () => {
  const MISTAKES: Record<string, [body: string, sentence: string]> = {
    'a placeholder that nothing fills in': [
      'Up to {{limit.codeTtl}} seconds',
      'web/src/docs/ru/index.md: nothing fills in {{limit.codeTtl}}.',
    ],
    'a placeholder with spaces': [
      'At {{ apiUrl }}',
      'web/src/docs/ru/index.md: nothing fills in {{ apiUrl }}.',
    ],
    'a heading without an id': [
      '## Send a code',
      'web/src/docs/ru/index.md: the heading "Send a code" has no {#id}.',
    ],
    'two headings with one id': [
      '## One {#one}\n\n## Two {#one}',
      'web/src/docs/ru/index.md: two headings have the id "one".',
    ],
    'an id of the page around it': [
      '## Content {#content}',
      'web/src/docs/ru/index.md: the id "content" belongs to the page around the text.',
    ],
    'a second title': [
      '# Title {#title}',
      'web/src/docs/ru/index.md: the title belongs into the front matter, not into "Title {#title}".',
    ],
    'a link to no page': [
      '[x](/docs/nothing)',
      'web/src/docs/ru/index.md: the link "/docs/nothing" leads nowhere.',
    ],
    'a link to no heading of this page': [
      '## One {#one}\n\n[x](#two)',
      'web/src/docs/ru/index.md: the link "#two" leads to no heading.',
    ],
    'a link to no operation': [
      '[x](/docs/api#otp-sent)',
      'web/src/docs/ru/index.md: the link "/docs/api#otp-sent" leads to no heading.',
    ],
    'a link to no code of an error': [
      '[x](/docs/errors/invalid_fone)',
      'web/src/docs/ru/index.md: the link "/docs/errors/invalid_fone" leads nowhere.',
    ],
    'a link beside the page': [
      '[x](codes.md)',
      'web/src/docs/ru/index.md: the link "codes.md" should begin with / or https:.',
    ],
    'a link with a script': [
      '[x](javascript:alert(1))',
      'web/src/docs/ru/index.md: the link "javascript:alert(1)" should begin with / or https:.',
    ],
    'an unknown snippet': [
      '```snippet otpSent\n```',
      'web/src/docs/ru/index.md: there is no snippet "otpSent".',
    ],
    'an unknown response': [
      '```response otpSent\n```',
      'web/src/docs/ru/index.md: there is no response "otpSent".',
    ],
    'an unknown demo': [
      '```demo phone\n```',
      'web/src/docs/ru/index.md: there is no demo "phone".',
    ],
    'a snippet whose fields are no JSON': [
      '```snippet otpSend\n{phone}\n```',
      'web/src/docs/ru/index.md: the body of "otpSend" is not a JSON object.',
    ],
    HTML: [
      'Text\n\n<script>alert(1)</script>\n',
      'web/src/docs/ru/index.md: HTML is not Markdown: "<script>alert(1)</script>".',
    ],
  };
  for (const [name, [body, message]] of Object.entries(MISTAKES)) {
    test(name, () => assert.throws(() => build({ index: body }), { message }));
  }

  test('code in an unknown language', () => {
    assert.throws(
      () => build({ index: '```ruby\nputs 1\n```' }),
      /a code block is called "ruby"; /,
    );
  });

  test('a page without a title', () => {
    const source = '---\ndescription: x\n---\n';
    const sources = [{ lang: 'ru' as const, slug: 'index', source }];
    const input = { sources, navigation, serverPages: [], texts: PUBLIC_TEXTS };
    assert.throws(() => buildDocs({ ...input, mustBeComplete: false }), {
      message: 'web/src/docs/ru/index.md: the front matter has no title.',
    });
  });

  test('a page that the navigation does not have', () => {
    assert.throws(() => build({ other: 'x' }), {
      message: 'web/src/docs/ru/other.md: the navigation has no page "other".',
    });
  });

  test('a heading that one language does not have', () => {
    const index = { ru: '## One {#one}', kk: '## Бір {#one}', en: 'Nothing' };
    assert.throws(() => build({ index }), {
      message: 'web/src/docs/en/index.md: only one of ru and en has the heading "#one".',
    });
  });
});

test('a missing translation is a warning, and a mistake once the documentation is complete', () => {
  const pages = { index: 'Text', codes: { ru: 'Текст', kk: 'Мәтін', en: null } };
  const { warnings, pages: built } = build(pages);
  assert.deepEqual(warnings, ['web/src/docs/en/codes.md is missing']);
  assert.equal(built.en.codes, undefined);
  assert.throws(() => build(pages, true), { message: 'web/src/docs/en/codes.md is missing.' });
});

test('a link to a page that is promised is broken once the documentation is complete', () => {
  const pages = { index: '[x](/docs/codes#send)' };
  assert.deepEqual(build(pages).pages.ru.index?.headings, []);
  assert.throws(() => build({ ...pages, codes: '## Other {#other}' }, true), {
    message: 'web/src/docs/ru/index.md: the link "/docs/codes#send" leads to no heading.',
  });
});

test('links of the site keep the language, and those of the API have none', () => {
  const body =
    '[a](/docs/errors/invalid_phone) [b](/api/openapi.json) [c](https://example.kz/?a=1&b=2)';
  const page = html(body);
  assert.ok(page.includes('href="/docs/errors/invalid_phone?lang=ru"'), page);
  assert.ok(page.includes('href="/api/openapi.json"'), page);
  assert.ok(page.includes('href="https://example.kz/?a=1&amp;b=2"'), page);
});

test('placeholders survive highlighting, links and inline code', () => {
  const page = html(
    '`{{apiUrl}}` [x]({{siteUrl}}/docs)\n\n```bash\ncurl {{apiUrl}}/x -H "k: {{key}}" # $ZHIBER_KEY\n```',
  );
  assert.ok(page.includes('<code>{{apiUrl}}</code>'), page);
  assert.ok(page.includes('href="{{siteUrl}}/docs"'), page);
  assert.equal(page.split('{{key}}').length, 3, page);
  assert.ok(page.includes('curl {{apiUrl}}/x'), page);
  assert.doesNotMatch(page, /Placeholder|\uE000|style=/);
});

test('text is escaped in every place', () => {
  const page = html('Less `a < b && "c"` and 1 < 2\n\n```html\n<img src=x onerror=alert(1)>\n```');
  assert.ok(page.includes('<code>a &lt; b &amp;&amp; &quot;c&quot;</code>'), page);
  assert.doesNotMatch(page, /<img/);
});

test('a snippet is six languages, PHP in two ways, of which the first is open, and a key changes only some lines', () => {
  const page = html('```snippet otpSend\n{"phone": "+77000000001", "purpose": null}\n```');
  assert.deepEqual(
    [...page.matchAll(/data-form="([\w-]+)"( open)?/g)].map((match) => match.slice(1)),
    [
      ['curl', ' open'],
      ['node', undefined],
      ['python', undefined],
      ['php', undefined],
      ['php-streams', undefined],
      ['go', undefined],
      ['csharp', undefined],
    ],
  );
  assert.ok(page.includes('+77000000001'));
  assert.doesNotMatch(page, /login/);
  const go = /data-form="go"[\s\S]*?<\/details>/.exec(page)?.[0] ?? '';
  const unknown = [...go.matchAll(/<!--key-unknown-->([\s\S]*?)<!--\/key-unknown-->/g)];
  const known = [...go.matchAll(/<!--key-known-->([\s\S]*?)<!--\/key-known-->/g)];
  // Go does not compile with an import that it does not use.
  assert.match(unknown.map((match) => match[1]).join(''), /&quot;os&quot;/);
  assert.doesNotMatch(known.map((match) => match[1]).join(''), /&quot;os&quot;/);
  assert.match(known.map((match) => match[1]).join(''), /\{\{key\}\}/);
});

test('the Markdown has the examples written out, whole addresses and no ids', () => {
  const text = markdown(
    '## Send {#send}\n\n[x](/docs/codes#a)\n\n```snippet otpSend\n```\n\n```bash no-run\n# {#not-an-id}\n```',
  );
  assert.match(text, /^# Title: with a colon\n\n> What it says\n\n## Send\n/);
  assert.ok(text.includes('[x]({{siteUrl}}/docs/codes.md?lang=en#a)'), text);
  assert.equal(text.match(/^```\w+$/gm)?.length, 8, text);
  assert.ok(text.includes('```bash\n# {#not-an-id}\n```'), text);
  assert.doesNotMatch(text, /```snippet/);
});

test('the search knows each section, without its code, with the limits filled in', () => {
  const body =
    'Before {{limit.codeLengthMin}}\n\n## One {#one}\n\nAfter `x` & y\n\n```bash\ncurl secret\n```';
  const [beginning, section, ...rest] = build({ index: body }).search.en;
  assert.deepEqual(beginning, {
    url: '/docs',
    page: 'Title: with a colon',
    heading: '',
    text: 'What it says Before 4',
  });
  assert.deepEqual(section, {
    url: '/docs#one',
    page: 'Title: with a colon',
    heading: 'One',
    text: 'After x & y',
  });
  assert.ok(rest.some((entry) => entry.url === '/docs/errors/invalid_phone'));
  assert.ok(rest.some((entry) => entry.url === '/docs/api#otp-send'));
});

test('Russian texts of the API are marked as such on the pages of other languages', () => {
  const { pages } = build({ index: 'The answer says `Код отправлен` and `success`' });
  assert.ok(pages.en.index?.html.includes('<code lang="ru">Код отправлен</code>'));
  assert.ok(pages.ru.index?.html.includes('<code>Код отправлен</code>'));
  assert.ok(pages.en.index?.html.includes('<code>success</code>'));
});

test('notes and warnings have a title in the language of the page', () => {
  const { pages } = build({ index: '> [!WARNING]\n> Careful\n\n> [!NOTE]\n> By the way' });
  for (const lang of LANGS) {
    const { note, warning } = PUBLIC_TEXTS[lang].docs;
    const page = pages[lang].index?.html ?? '';
    assert.match(page, new RegExp(`class="callout warning"[^]*${warning}[^]*Careful`));
    assert.match(page, new RegExp(`class="callout"[^]*${note}[^]*By the way`));
  }
});

test('lines that two versions share are found once', () => {
  const steps = compareLines(['a', 'b', 'c'], ['a', 'x', 'c', 'd']);
  assert.deepEqual(
    steps.map((step) => step.kind),
    ['both', 'left', 'right', 'both', 'right'],
  );
});

test('an element over several lines is closed and opened again on each', () => {
  assert.deepEqual(highlightedLines('a <span class="s">b\nc</span> d'), [
    'a <span class="s">b</span>',
    '<span class="s">c</span> d',
  ]);
});
