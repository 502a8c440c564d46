import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A database, and how often a standby of it was promoted. */
export type Timeline = { system: string; timeline: number };

/** The database lacks what a later one of the same history has acknowledged. */
export class WentBack extends Error {}

/** The newest timeline that this node has seen. It is kept outside the database, which may go back. */
export type SeenTimeline = {
  /** Why the database is not to be written to; undefined when it is as new as the last one or newer. */
  compare(found: Timeline): string | undefined;
  /** Keeps it for the next start, if it is newer or of another database. */
  remember(found: Timeline): void;
};

export function openSeenTimeline(dataDir: string): SeenTimeline {
  const file = path.join(dataDir, 'timeline.json');
  let seen = readSeen(file);
  return {
    compare({ system, timeline }) {
      if (seen?.system !== system || timeline >= seen.timeline) return undefined;
      return (
        `The database went back from timeline ${seen.timeline} to ${timeline}: it lacks what was acknowledged since its ` +
        `standby was promoted. Make the server of timeline ${seen.timeline} the primary again. If that one is lost for ` +
        `good, remove ${file}.`
      );
    },
    remember(found) {
      if (seen?.system === found.system && seen.timeline === found.timeline) return;
      seen = found;
      mkdirSync(dataDir, { recursive: true });
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, JSON.stringify(found));
      renameSync(fresh, file);
    },
  };
}

function readSeen(file: string): Timeline | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Timeline;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}
