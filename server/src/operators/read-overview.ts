import { almatyDay } from '../almaty.ts';
import type { Context } from '../context.ts';
import { countInstallation, type InstallationCounts } from './overview-store.ts';

/** The installation at a glance; a day begins at midnight in Almaty. */
export async function readInstallation({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<InstallationCounts> {
  return await countInstallation(db, almatyDay(clock.now()));
}
