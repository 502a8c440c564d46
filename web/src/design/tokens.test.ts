import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

function coloursOf(selector: string): string[] {
  const block = css.split(`${selector} {`)[1]?.split('}')[0] ?? '';
  return [...block.matchAll(/--[a-z-]+: [^;]+;/g)].map(([declaration]) => declaration);
}

test('dark by choice has the same colours as dark by the system', () => {
  const bySystem = coloursOf(':root:not(.light)');
  assert.ok(bySystem.length > 20);
  assert.deepEqual(coloursOf(':root.dark'), bySystem);
});
