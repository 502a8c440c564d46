import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { almatyTime } from '../../almaty.ts';

const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Streams a file as a download, named after its content and the day in Almaty. */
export function sendExport(
  reply: FastifyReply,
  file: {
    name: string;
    format: keyof typeof FILE_TYPES;
    now: Date;
    content: AsyncIterable<Buffer | string>;
  },
): FastifyReply {
  const day = almatyTime(file.now).slice(0, 10);
  return reply
    .header('content-type', FILE_TYPES[file.format])
    .header('content-disposition', `attachment; filename="${file.name}-${day}.${file.format}"`)
    .send(Readable.from(file.content, { objectMode: false }));
}
