/**
 * A dump is one SQL text that `psql` can run as it is. It begins with a manifest and ends with the
 * exact counts and a checksum, both in comments:
 *
 *   -- zhiber backup {manifest}
 *   -- secret … (unless it was left out)
 *   -- next
 *   begin; the tables of the schema
 *   -- next
 *   copy … from stdin; rows, once per table and partition
 *   sequences, indexes, foreign keys, functions, each followed by -- next
 *   commit;
 *   -- next
 *   -- end {ending}
 */

/** A dump cannot be used; the message says why. */
export class DumpRefused extends Error {}

export type Manifest = {
  format: number;
  /** The version of Zhiber that wrote it, and that of the PostgreSQL server. */
  version: string;
  postgres: string;
  at: string;
  hasSecret: boolean;
  /** Of the secret that the data was written with; null before the first start. */
  secretFingerprint: string | null;
  /** The applied files of server/schema/tables with their checksums. */
  schema: Record<string, string>;
  /** Estimated rows of each table and partition. */
  tables: Record<string, number>;
};

export type Ending = { rows: Record<string, number>; sha256: string };

export const FORMAT = 1;
export const MANIFEST_PREFIX = '-- zhiber backup ';
export const SECRET_PREFIX = '-- secret ';
export const NEXT = '-- next';
export const ENDING_PREFIX = '-- end ';
/** Ends the rows of a `copy`. No row is such a line, because a backslash in a row is doubled. */
export const COPY_END = '\\.';

export const COPY_LINE = /^copy (\S+) \(.*\) from stdin;$/;

export function parseManifest(line: string | undefined): Manifest {
  if (line === undefined || !line.startsWith(MANIFEST_PREFIX)) {
    throw new DumpRefused('This is not a backup of Zhiber.');
  }
  const manifest = parseJson(line.slice(MANIFEST_PREFIX.length)) as Manifest;
  if (manifest.format > FORMAT) {
    throw new DumpRefused(
      `This backup was written by Zhiber ${manifest.version}, in a form that this one does not know. Restore it with that version.`,
    );
  }
  return manifest;
}

export function parseEnding(line: string): Ending {
  return parseJson(line.slice(ENDING_PREFIX.length)) as Ending;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged();
  }
}

export const damaged = () =>
  new DumpRefused('The backup is damaged: its contents differ from what was written.');
export const cutOff = () => new DumpRefused('The backup is cut off: its end is missing.');
