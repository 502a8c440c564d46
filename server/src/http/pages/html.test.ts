import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';

test('every value is escaped, in text and in attributes', () => {
  const hostile = `"><script>alert('x')</script>&`;
  const { markup } = html`<a title="${hostile}">${[hostile]}</a>`;
  assert.equal(markup.match(/[<>]/g)?.length, 4);
  assert.ok(markup.includes('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;'));
});

test('markup is kept, and what is absent leaves no trace', () => {
  assert.equal(html`${html`<b>${1}</b>`}${false}${null}${undefined}`.markup, '<b>1</b>');
});
