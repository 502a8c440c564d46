import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { readZone } from '../time-zone.ts';
import { type Check, failed, passed } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';

const NODE_MAJOR_MIN = 24;
/** A minimum to start. Under load the database's WAL alone may take 2 GB between checkpoints. */
const DISK_FREE_MIN_MB = 500;

export function checkMachine(texts: DoctorTexts): Check[] {
  const version = process.versions.node;
  const isNew = Number(version.split('.')[0]) >= NODE_MAJOR_MIN;
  const zone = readZone();
  const zoneText = `${zone.name} = UTC${zone.offset} (tzdata ${zone.tzdata})`;
  return [
    isNew ? passed('node', version) : failed('node', texts.oldNode(version, NODE_MAJOR_MIN)),
    zone.isRight ? passed('time_zone', zoneText) : failed('time_zone', texts.oldZone(zoneText)),
  ];
}

/** Checks the data folder, or its nearest existing parent; the folder is not created. */
export async function checkFolders({ dataDir }: Config, texts: DoctorTexts): Promise<Check[]> {
  const hasFolder = existsSync(dataDir);
  const place = hasFolder ? dataDir : nearestFolder(dataDir);
  const isWritable = await access(place, constants.W_OK).then(
    () => true,
    () => false,
  );
  const { bavail, bsize } = await statfs(place);
  const freeMb = Math.floor((bavail * bsize) / 1_000_000);
  const folder = hasFolder ? dataDir : texts.fresh(dataDir);
  return [
    isWritable ? passed('data_folder', folder) : failed('data_folder', texts.notWritable(place)),
    freeMb >= DISK_FREE_MIN_MB
      ? passed('disk', texts.diskFree(freeMb))
      : failed('disk', texts.diskFull(freeMb, DISK_FREE_MIN_MB)),
  ];
}

function nearestFolder(dir: string): string {
  let folder = dir;
  while (!existsSync(folder)) folder = path.dirname(folder);
  return folder;
}
