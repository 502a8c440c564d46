import { Readable } from 'node:stream';
import { ACT_FORMATS } from '@zhiber/contract/cabinet/papers.ts';
import { ZipFile } from 'yazl';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import { listPapers } from './list-papers.ts';
import { type Month, rangeOf } from './month.ts';
import { type ActReader, type Ctx, drawAct, drawReceiptOf, type PaperFile } from './paper-file.ts';
import { paperNumber } from './paper-format.ts';

/**
 * Streams all papers of a month as one ZIP: its receipts and, once it is over, its act. An operator who
 * only looks gets the act when it has its number. Each paper is drawn when the reader has taken those
 * before it.
 */
export async function archiveMonth(
  ctx: Ctx & Pick<Context, 'exports'>,
  reader: ActReader,
  month: Month,
): Promise<Readable> {
  const { companyId, lang, isViewed = false } = reader;
  const release = ctx.exports.tryAcquire();
  if (release === undefined) throw new Problem('service_unavailable', { retry_after: 5 });
  try {
    const papers = await listPapers(ctx, companyId, month);
    const zip = new ZipFile();
    // The time of the month, so that the same papers make the same archive.
    const mtime = rangeOf(month).from;
    const add = (name: string, draw: () => Promise<PaperFile>) =>
      zip.addReadStreamLazy(name, { mtime }, (give) => {
        draw().then(
          ({ bytes }) => give(null, Readable.from([bytes])),
          (error: Error) => give(error, Readable.from([])),
        );
      });
    for (const receipt of papers.receipts.toReversed()) {
      add(`receipt-${paperNumber(receipt.number)}.pdf`, () => drawReceiptOf(ctx, receipt, lang));
    }
    if (papers.isOver && (!isViewed || papers.act !== undefined)) {
      for (const format of ACT_FORMATS) {
        add(`act-${month}.${format}`, () => drawAct(ctx, reader, { month, format }));
      }
    }
    zip.end();
    const stream = zip.outputStream as Readable;
    // A paper that cannot be drawn breaks the download: half an archive would look whole.
    zip.on('error', (error) => stream.destroy(error));
    stream.once('close', release);
    return stream;
  } catch (error) {
    release();
    throw error;
  }
}
