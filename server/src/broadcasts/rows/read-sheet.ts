import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { decodeText } from './detect-encoding.ts';
import { readXlsx } from './read-xlsx.ts';
import type { SheetRow } from './sheet-row.ts';
import { splitCsv } from './split-csv.ts';

const ZIP = Buffer.from('PK\x03\x04', 'latin1');
/** Documents that begin as a text does, and hold no table of their own. */
const DOCUMENTS = ['%pdf-', '{\\rtf', '<html', '<!doc', '<?xml'];
const SIGNATURE_LENGTH = 5;
/** Excel before 2007. */
const OLD_EXCEL = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** The rows of a file as it comes, by what it holds: its name may say anything. */
export async function* readSheet(
  ctx: Pick<Context, 'workbooks'>,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<SheetRow> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let isEnd = false;
  while (!isEnd && head.length < SIGNATURE_LENGTH) {
    const { value, done } = await iterator.next();
    if (done) isEnd = true;
    else head = Buffer.concat([head, value]);
  }
  const all = async function* () {
    yield head;
    if (!isEnd) yield* { [Symbol.asyncIterator]: () => iterator };
  };
  if (startsWith(head, OLD_EXCEL)) {
    throw new Problem('file_unreadable', {
      errors: { file: ['Это старый формат Excel: сохраните файл как XLSX или CSV'] },
    });
  }
  if (DOCUMENTS.includes(head.toString('latin1', 0, SIGNATURE_LENGTH).toLowerCase())) {
    throw new Problem('file_unreadable');
  }
  // The directory of a workbook is at its end, so it is read whole.
  if (startsWith(head, ZIP)) yield* readXlsx(ctx, Buffer.concat(await Array.fromAsync(all())));
  else yield* splitCsv(decodeText(all()));
}

function startsWith(bytes: Buffer, signature: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}
