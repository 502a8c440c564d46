import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBusinessId } from './business-id.ts';

const checksum = (start: string) =>
  Array.from({ length: 10 }, (_, digit) => `${start}${digit}`).filter(isBusinessId);

test('the last digit of a БИН is the only one that fits the others', () => {
  for (const start of ['94014000038', '99034000567', '85071230028', '00000000000']) {
    assert.equal(checksum(start).length, 1, start);
  }
  // A real БИН, that of a bank.
  assert(isBusinessId('971240001315'));
});

test('nearly all mistyped digits are noticed, and swapped neighbours are', () => {
  const good = '971240001315';
  // The eleventh digit has the weight eleven, which is zero modulo eleven.
  const typos = [...good].flatMap((digit, at) =>
    [...'0123456789']
      .filter((other) => other !== digit && at !== 10)
      .map((other) => good.slice(0, at) + other + good.slice(at + 1)),
  );
  // When the sum becomes ten the second weights decide, and these can match by chance.
  assert(typos.filter(isBusinessId).length <= 2, String(typos.filter(isBusinessId)));
  assert(!isBusinessId('791240001315'));
});

test('some beginnings have no valid last digit: both weights give ten', () => {
  const starts = Array.from({ length: 2_000 }, (_, i) => String(i).padStart(11, '0'));
  assert(starts.some((start) => checksum(start).length === 0));
});

test('anything but twelve digits is invalid', () => {
  for (const text of ['', '97124000131', '9712400013155', '97124000131a', '٩٧١٢٤٠٠٠١٣١٥']) {
    assert(!isBusinessId(text), text);
  }
});
