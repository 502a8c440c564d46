/** When the pages are built again: the key of `scripts/build-web.mjs` over a small tree. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { createTemporaryFolder } from '../temporary-folder.ts';

type BuildWeb = { sourcesKey(folder: string): string };
const script = new URL('../../../scripts/build-web.mjs', import.meta.url).href;
const { sourcesKey } = (await import(script)) as BuildWeb;

const folder = createTemporaryFolder('build-web');
after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

write('web/src/texts/ru/pages.ts', 'title');
write('contract/src/message/message-text.ts', 'code');
write('tsconfig.json', '{}');
write('package-lock.json', '{}');

const CHANGING = [
  'web/src/texts/ru/pages.ts',
  'web/src/public/page.css',
  'contract/src/message/message-text.ts',
  'package-lock.json',
];
for (const name of CHANGING) {
  test(`a change of ${name} makes a new build`, () => {
    const before = sourcesKey(folder);
    write(name, 'changed');
    assert.notEqual(sourcesKey(folder), before);
  });
}

test('what ends up in no page makes no build', () => {
  const before = sourcesKey(folder);
  write('server/src/http/pages/layout.ts', 'changed');
  write('web/src/texts/language.test.ts', 'changed');
  write('web/dist/index.html', 'changed');
  assert.equal(sourcesKey(folder), before);
});
