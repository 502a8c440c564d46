import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

export type BuiltFile = {
  body: Buffer;
  type: string;
  /** Compressed when it was built; the browser says which it can read. */
  packed: { br?: Buffer; gzip?: Buffer };
};
export type CabinetBuild = { html: BuiltFile; assets: ReadonlyMap<string, BuiltFile> };

const FOLDER = new URL('../../../../../cabinet/dist/', import.meta.url);

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The built cabinet, read whole; undefined where nobody has built it. */
export function readCabinetBuild(folder: URL = FOLDER): CabinetBuild | undefined {
  if (!existsSync(new URL('index.html', folder))) return undefined;
  const assets = readdirSync(new URL('assets/', folder))
    .filter((name) => extname(name) in TYPES)
    .map((name) => [`/app/assets/${name}`, readBuilt(folder, `assets/${name}`)] as const);
  return { html: readBuilt(folder, 'index.html'), assets: new Map(assets) };
}

function readBuilt(folder: URL, name: string): BuiltFile {
  const br = readIfThere(new URL(`${name}.br`, folder));
  const gzip = readIfThere(new URL(`${name}.gz`, folder));
  return {
    body: readFileSync(new URL(name, folder)),
    type: TYPES[extname(name)] as string,
    packed: { ...(br && { br }), ...(gzip && { gzip }) },
  };
}

function readIfThere(file: URL): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** The smallest form that the browser can read, and the name of that form. */
export function packedFor(
  file: BuiltFile,
  acceptEncoding: string | undefined,
): { body: Buffer; encoding?: string } {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .map((coding) => coding.trim())
      .filter((coding) => !/;\s*q=0(?:\.0*)?$/.test(coding))
      .map((coding) => coding.split(';', 1)[0]?.trim()),
  );
  for (const encoding of ['br', 'gzip'] as const) {
    const body = file.packed[encoding];
    if (body !== undefined && accepted.has(encoding)) return { body, encoding };
  }
  return { body: file.body };
}
