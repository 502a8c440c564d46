import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from './detect-encoding.ts';

const TEXT = 'Имя;Телефон\r\nАйгүл Ёлка — «№1»;+7 701 123 45 67\r\n';
/** Windows-1251 has no Kazakh letters. */
const RUSSIAN = 'Имя;Телефон\r\nОльга Ёлка;87011234567\r\n';
const RUSSIAN_1251 = Buffer.from(
  'c8ecff3bd2e5ebe5f4eeed0d0acef2eb'.replace('cef2eb', 'ceebfce3e020a8ebeae03b') +
    Buffer.from('87011234567\r\n').toString('hex'),
  'hex',
);

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const mark = (...bytes: number[]) => Buffer.from(bytes);

const FILES: Record<string, [text: string, bytes: Buffer]> = {
  'UTF-8': [TEXT, Buffer.from(TEXT)],
  'UTF-8 with a mark': [TEXT, Buffer.concat([mark(0xef, 0xbb, 0xbf), Buffer.from(TEXT)])],
  'UTF-16 LE': [TEXT, Buffer.from(TEXT, 'utf16le')],
  'UTF-16 LE with a mark': [TEXT, Buffer.concat([mark(0xff, 0xfe), Buffer.from(TEXT, 'utf16le')])],
  'UTF-16 BE': [TEXT, utf16be(TEXT)],
  'UTF-16 BE with a mark': [TEXT, Buffer.concat([mark(0xfe, 0xff), utf16be(TEXT)])],
  'Windows-1251': [RUSSIAN, RUSSIAN_1251],
  ASCII: ['87011234567\n', Buffer.from('87011234567\n')],
  nothing: ['', Buffer.alloc(0)],
};

async function decode(chunks: readonly Buffer[]): Promise<string> {
  const each = async function* () {
    yield* chunks;
  };
  return (await Array.fromAsync(decodeText(each()))).join('');
}

function inPieces(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
}

for (const [name, [text, bytes]] of Object.entries(FILES)) {
  test(`${name} is read as it was written, however it is cut`, async () => {
    for (const length of [1, 2, 3, 7, 1_000]) {
      assert.equal(await decode(inPieces(bytes, length)), text, `pieces of ${length} bytes`);
    }
  });
}

/** Longer than what is looked at in the beginning. */
const ASCII_START = '87011234567;Almaty\n'.repeat(20_000);

test('the first letter that is not ASCII may come after hundreds of kilobytes', async () => {
  const pieces = (end: Buffer) => inPieces(Buffer.concat([Buffer.from(ASCII_START), end]), 65_536);
  assert.equal(await decode(pieces(Buffer.from(TEXT))), ASCII_START + TEXT);
  assert.equal(await decode(pieces(RUSSIAN_1251)), ASCII_START + RUSSIAN);
});

test('a character on the border of two chunks of a long file is whole', async () => {
  for (const text of ['Әйгерім;8701\n'.repeat(30_000), `x${'Әйгерім;8701\n'.repeat(30_000)}`]) {
    assert.equal(await decode(inPieces(Buffer.from(text), 65_536)), text);
    assert.equal(await decode(inPieces(Buffer.from(text, 'utf16le'), 65_535)), text);
  }
});

test('one broken character does not change the encoding of the others', async () => {
  const bytes = Buffer.concat([Buffer.from('Алматы'), mark(0xff), Buffer.from('Шымкент')]);
  assert.equal(await decode([bytes]), 'Алматы\ufffdШымкент');
});
