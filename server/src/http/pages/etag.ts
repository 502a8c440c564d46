import { createHash } from 'node:crypto';

/** Weak, because the compressed forms of a file have other bytes. */
export function etagOf(body: string | Buffer): string {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return `W/"${hash}"`;
}

/** Whether the browser holds this very file already. A proxy may have dropped the weak mark. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (ifNoneMatch ?? '').split(',').some((tag) => opaque(tag) === opaque(etag));
}
