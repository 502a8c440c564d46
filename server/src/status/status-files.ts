import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Component } from '@zhiber/contract/admin/incidents.ts';
import { COMPONENTS } from '@zhiber/contract/admin/incidents.ts';
import type { MeasureSource, StatusSnapshot } from '@zhiber/contract/pages/status.ts';
import type { MinuteCount } from '../runtime/minute-counts.ts';

/** The snapshot, for a process that shows it while the service is down. */
export const SNAPSHOT_FILE = 'snapshot.json';
/** What that process has measured, for the service to take over. */
export const OUTSIDE_FILE = 'outside.json';

export function statusFolder(dataDir: string): string {
  return path.join(dataDir, 'status');
}

/** A reader sees the old file or the new one, and never a part of either. */
export async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const partial = path.join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeFile(partial, text);
    await rename(partial, path.join(folder, name));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Undefined where no service has written one yet. */
export async function readSnapshotFile(folder: string): Promise<StatusSnapshot | undefined> {
  const text = await readIfThere(path.join(folder, SNAPSHOT_FILE));
  return text === undefined ? undefined : (JSON.parse(text) as StatusSnapshot);
}

export type OutsideCount = MinuteCount<Component, MeasureSource>;

/** Rows that make no sense are left out: the file is not ours alone. */
export async function readOutside(folder: string): Promise<OutsideCount[]> {
  const text = await readIfThere(path.join(folder, OUTSIDE_FILE));
  if (text === undefined) return [];
  const rows = JSON.parse(text) as unknown;
  return Array.isArray(rows) ? (rows as OutsideCount[]).filter(isCount) : [];
}

function isCount(row: OutsideCount): boolean {
  const isNumber = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  const { minuteMs, good, bad } = row;
  return (
    COMPONENTS.includes(row.name) &&
    row.source === 'outside' &&
    [minuteMs, good, bad].every(isNumber) &&
    minuteMs % 60_000 === 0 &&
    good + bad < 10_000
  );
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
