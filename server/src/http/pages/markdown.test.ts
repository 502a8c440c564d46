import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const render = (text: string) => renderMarkdown(text).markup.trim();

test('a document has its headings, lists, links and tables', () => {
  assert.equal(render('# Условия'), '<h1>Условия</h1>');
  assert.match(render('1. раз\n2. два'), /<ol>\s*<li>раз<\/li>\s*<li>два<\/li>\s*<\/ol>/);
  assert.equal(
    render('[почта](mailto:help@zhiber.kz)'),
    '<p><a href="mailto:help@zhiber.kz">почта</a></p>',
  );
  assert.match(render('| а | б |\n|---|---|\n| 1 | 2 |'), /<td>1<\/td>/);
});

test('a plain text is paragraphs', () => {
  assert.equal(render('Раз.\n\nДва & три.'), '<p>Раз.</p>\n<p>Два &amp; три.</p>');
});

const HOSTILE = [
  '<script>alert(1)</script>',
  'текст <img src=x onerror=alert(1)> дальше',
  '<svg onload=alert(1)>\n',
  '[а](javascript:alert(1))',
  '[а](JaVaScRiPt:alert(1))',
  '[а]( javascript:alert(1))',
  '[а](java&#x73;cript:alert(1))',
  '[а](&#106;avascript:alert(1))',
  '[а](data:text/html,<script>alert(1)</script>)',
  '[а](//evil.example/x)',
  '[а](vbscript:x)',
  '[а](<javascript:alert(1)>)',
  '<javascript:alert(1)>',
  '[а][б]\n\n[б]: javascript:alert(1)',
  '![а](javascript:alert(1))',
  '![а" onerror="alert(1)](https://evil.example/x.png)',
  '[а](https://a.kz/"onmouseover="alert(1))',
  '[а](https://a.kz "t\\" onmouseover=\\"alert(1)")',
  '```html\n<script>alert(1)</script>\n```',
  '```"><script>alert(1)</script>\nx\n```',
  '<!-- --><script>alert(1)</script>',
];

/** Every tag of the markup, with the attributes that it may have. */
const ALLOWED_TAG =
  /^<\/?(?:p|a|ul|ol|li|strong|em|code|pre|h[1-6]|table|thead|tbody|tr|th|td|blockquote|hr|br|del)(?: (?:href="(?:https?:\/\/|mailto:|tel:|\/[^/]|#)[^"<>]*"|class="language-[^"<>]*"|start="\d+"|align="\w+"))*\s*\/?>$/;

for (const text of HOSTILE) {
  test(`nothing of ${JSON.stringify(text)} is run`, () => {
    const tags = render(text).match(/<[^>]*>/g) ?? [];
    for (const tag of tags) assert.match(tag, ALLOWED_TAG, render(text));
  });
}
