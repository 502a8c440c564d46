import packageFile from '../package.json' with { type: 'json' };

export const VERSION = packageFile.version;

/**
 * The oldest version whose nodes work beside this one, on the schema of this one: that of the release
 * before, unless the release notes say otherwise. Older programs refuse to start on that schema.
 */
export const OLDEST_VERSION = '0.2.0';

/** Negative when `a` is older than `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const place = (left ?? []).findIndex((part, i) => part !== right?.[i]);
  return place < 0 ? 0 : (left?.[place] ?? 0) - (right?.[place] ?? 0);
}
