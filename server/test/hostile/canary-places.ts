import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Piece, Place } from './canaries.ts';
import type { HostileServer } from './hostile-server.ts';

/** Collects texts during the test: a log, answers, the output of commands. */
export function createCollector(name: string): Place & { add(where: string, text: string): void } {
  const pieces: Piece[] = [];
  return {
    name,
    add: (where, text) => {
      pieces.push({ where, bytes: Buffer.from(text) });
    },
    read: () => pieces,
  };
}

/** Every row of every table, the job queue's included, with binary columns in hexadecimal. */
export function tables(hostile: HostileServer): Place {
  return {
    name: 'rows of all tables',
    async *read() {
      const entry = await hostile.sql<{ name: string }>(
        `select format('%I.%I', n.nspname, c.relname) as name
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
      );
      for (const { name } of entry) {
        const rows = await hostile.sql<{ line: string }>(
          `select row_to_json(t)::text as line from ${name} t`,
        );
        for (const { line } of rows) yield { where: name, bytes: Buffer.from(line) };
      }
    },
  };
}

/** Every file of the data folder: tables, indexes, the WAL and the log of the database. */
export function dataFiles(dataDir: string, excluded: readonly string[]): Place {
  return {
    name: 'files of the data folder',
    *read() {
      for (const file of listFiles(dataDir)) {
        const where = path.relative(dataDir, file);
        if (!excluded.includes(where)) yield { where, bytes: readFileSync(file) };
      }
    },
  };
}

function* listFiles(dir: string): Iterable<string> {
  for (const name of readdirSync(dir)) {
    const file = path.join(dir, name);
    const entry = statSync(file, { throwIfNoEntry: false });
    if (entry?.isDirectory()) yield* listFiles(file);
    else if (entry?.isFile()) yield file;
  }
}
