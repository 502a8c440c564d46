import path from 'node:path';

export type S3Config = {
  kind: 's3';
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string[];
  keyId: string;
  secret: string;
};
export type ArchiveConfig = { kind: 'folder'; folder: string } | S3Config;

type Given = {
  dir: string | undefined;
  url: string | undefined;
  endpoint: string | undefined;
  region: string | undefined;
  keyId: string | undefined;
  secret: string | undefined;
};

/** Where removed months go; undefined: nowhere. */
export function readArchive(given: Given, problems: string[]): ArchiveConfig | undefined {
  const { dir, url, keyId, secret } = given;
  if (dir !== undefined && url !== undefined) {
    problems.push('ARCHIVE_URL: should not be set together with ARCHIVE_DIR');
  }
  if (dir !== undefined) return { kind: 'folder', folder: path.resolve(dir) };
  if (url === undefined) return undefined;
  const { bucket, prefix = '' } =
    /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w./-]*))?$/.exec(url)
      ?.groups ?? {};
  if (bucket === undefined) problems.push('ARCHIVE_URL: should be like s3://bucket/folder');
  if (keyId === undefined) problems.push('ARCHIVE_KEY_ID: should be set, because ARCHIVE_URL is');
  if (secret === undefined) problems.push('ARCHIVE_SECRET: should be set, because ARCHIVE_URL is');
  const region = given.region ?? 'us-east-1';
  return {
    kind: 's3',
    endpoint: given.endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket: bucket ?? '',
    prefix: prefix.split('/').filter((part) => part !== ''),
    keyId: keyId ?? '',
    secret: secret ?? '',
  };
}
