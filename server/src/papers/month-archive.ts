import { Readable } from 'node:stream';
import { ACT_FORMATS } from '@zhiber/contract/cabinet/papers.ts';
import { ZipFile } from 'yazl';
import type { Actor } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { writeLedger } from '../ledger/export-ledger.ts';
import { paperNumber } from '../paper-number.ts';
import { Problem } from '../problem.ts';
import { listPapers } from './list-papers.ts';
import { type Month, rangeOf } from './month.ts';
import { type ActReader, type Ctx, drawAct, drawReceiptOf, type PaperFile } from './paper-file.ts';
import { readSeller } from './seller.ts';

/**
 * Streams all papers of a month as one ZIP: its receipts, its statement and, once it is over, its
 * act. An operator who only looks gets the act when it has its number. Each file is made when the
 * reader has taken those before it. Throws `seller_unknown`.
 */
export async function archiveMonth(
  ctx: Ctx & Pick<Context, 'exports'>,
  actor: Actor,
  reader: ActReader,
  month: Month,
): Promise<Readable> {
  const { companyId, lang, isViewed = false } = reader;
  // Asked before the first byte, while the answer can still be an error.
  readSeller(ctx);
  const release = ctx.exports.tryAcquire();
  if (release === undefined) throw new Problem('service_unavailable', { retry_after: 5 });
  try {
    const papers = await listPapers(ctx, companyId, month);
    const { from, to } = rangeOf(month);
    const archive = openArchive(from);
    for (const receipt of papers.receipts.toReversed()) {
      const draw = () => drawReceiptOf(ctx, receipt, lang);
      archive.add(`receipt-${paperNumber(receipt.number)}.pdf`, () => contentOf(draw));
    }
    if (papers.isOver && (!isViewed || papers.act !== undefined)) {
      for (const format of ACT_FORMATS) {
        const draw = () => drawAct(ctx, reader, { month, format });
        archive.add(`act-${month}.${format}`, () => contentOf(draw));
      }
    }
    archive.add(`ledger-${month}.csv`, () =>
      writeLedger(ctx, {
        companyId,
        range: { from: from.toISOString(), to: to.toISOString() },
        by: 'auto',
        format: 'csv',
        lang,
        actor,
      }),
    );
    const stream = archive.end();
    stream.once('close', release);
    return stream;
  } catch (error) {
    release();
    throw error;
  }
}

async function contentOf(draw: () => Promise<PaperFile>): Promise<Buffer[]> {
  return [(await draw()).bytes];
}

type Content = AsyncIterable<Buffer | string> | Iterable<Buffer>;

/** An archive whose files are made one after the other, as they are read. All have the same time. */
function openArchive(mtime: Date) {
  const zip = new ZipFile();
  let current: Readable | undefined;
  return {
    add(name: string, make: () => Promise<Content>): void {
      zip.addReadStreamLazy(name, { mtime }, (give) => {
        make().then(
          (content) => {
            current = Readable.from(content, { objectMode: false });
            give(null, current);
          },
          (error: Error) => give(error, Readable.from([])),
        );
      });
    },
    end(): Readable {
      zip.end();
      const stream = zip.outputStream as Readable;
      // A file that cannot be made breaks the download: half an archive would look whole.
      zip.on('error', (error) => stream.destroy(error));
      // A reader that has left ends the file that is being read.
      stream.once('close', () => current?.destroy());
      return stream;
    },
  };
}
