import { setTimeout as pause } from 'node:timers/promises';
import { almatyTime } from '../almaty.ts';
import { readTail, type TailRow } from '../messages/tail-store.ts';
import type { Command } from './grammar/command.ts';
import { companyIdOf, idOf } from './grammar/values.ts';
import { mustHaveCompany, readStorage } from './with-storage.ts';

const HOUR_MS = 3_600_000;
/** A commit may become visible later than others that began after it, and receipts come later still. */
const LOOK_BACK_MS = 10 * 60_000;
const PAUSE_MS = 1_000;

/** The messages and refused requests of a company; with --tail also those that come, until it is stopped. */
export const logs: Command = {
  name: 'logs',
  usage: '--company ID [--tail] [--failed] [--key KEY-ID]',
  summary: {
    en: 'Shows the requests and messages of a company; with --tail as they come',
    ru: 'Показывает запросы и сообщения компании, с --tail — по мере появления',
  },
  options: { company: 'text', tail: 'switch', failed: 'switch', key: 'text' },
  async run({ given, env, texts, isJson }) {
    const companyId = companyIdOf(given);
    const keyText = given.text('key');
    const keyId = keyText === undefined ? undefined : idOf('--key', keyText);
    const isWanted = (row: TailRow) => row.isFailed || !given.isOn('failed');
    return await readStorage(env, async (tools) => {
      await mustHaveCompany(tools, companyId);
      const read = async (backMs: number) => {
        const since = new Date(tools.clock.now().getTime() - backMs);
        return (await readTail(tools.db, companyId, { since, keyId })).filter(isWanted);
      };
      const rows = await read(HOUR_MS);
      if (!given.isOn('tail')) {
        const lines = rows.length === 0 ? [texts.noLogs] : rows.map(lineOf);
        return { facts: { rows: rows.map(factsOf) }, lines };
      }
      /** By id, what was last said of it: a message is told again when its state changes. */
      const told = new Map<string, string>();
      for (let found = rows; ; found = await read(LOOK_BACK_MS)) {
        for (const row of found) {
          if (told.get(row.id) === row.result) continue;
          told.set(row.id, row.result);
          console.log(isJson ? JSON.stringify(factsOf(row)) : lineOf(row));
        }
        forgetAllBut(told, found);
        await pause(PAUSE_MS);
      }
    });
  },
};

/** What is no longer read cannot come again. */
function forgetAllBut(told: Map<string, string>, found: readonly TailRow[]): void {
  const ids = new Set(found.map(({ id }) => id));
  for (const id of told.keys()) if (!ids.has(id)) told.delete(id);
}

function factsOf({ isFailed, at, ...row }: TailRow) {
  return { ...row, at: at.toISOString(), is_failed: isFailed };
}

function lineOf({ at, path, result, phone, channel, detail, id, isFailed }: TailRow): string {
  const parts = [almatyTime(at).slice(11), isFailed ? '✗' : '✓', path, result, phone, channel, id];
  return [...parts.filter((part) => part !== null), detail ?? ''].join('  ').trimEnd();
}
