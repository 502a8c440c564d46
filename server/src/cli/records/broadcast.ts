import { setTimeout as pause } from 'node:timers/promises';
import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import { almatyTime } from '../../almaty.ts';
import { countProgress } from '../../broadcasts/results/count-progress.ts';
import { COUNTED_DAYS } from '../../broadcasts/results/results.ts';
import { holdByOperator, releaseByOperator } from '../../broadcasts/run/control-broadcast.ts';
import {
  findBroadcast,
  type ListedBroadcast,
  listBroadcastsOf,
  listLiveBroadcasts,
} from '../../broadcasts/run/operator-store.ts';
import type { Sql } from '../../db/sql.ts';
import { type BroadcastId, isId } from '../../ids.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import type { Texts } from '../grammar/texts.ts';
import { companyIdOf } from '../grammar/values.ts';
import { mustHaveCompany, readStorage, withStorage } from '../with-storage.ts';

const SHOWN_MAX = 200;
const WATCH_MS = 2_000;
/** A running server counts more often; without one the command counts itself. */
const FRESH_SECONDS = 10;
const BAR_WIDTH = 30;

export const broadcastList: Command = {
  name: 'broadcast list',
  usage: '[--company ID]',
  summary: {
    en: `Shows the newest ${SHOWN_MAX} broadcasts with their progress`,
    ru: `Показывает рассылки и их ход: новые сначала, до ${SHOWN_MAX}`,
  },
  options: { company: 'text' },
  async run({ given, env, texts }) {
    const companyId = given.text('company') === undefined ? undefined : companyIdOf(given);
    const broadcasts = await readStorage(env, async (tools) => {
      if (companyId !== undefined) await mustHaveCompany(tools, companyId);
      return await listBroadcastsOf(tools.db, { companyId, max: SHOWN_MAX });
    });
    return {
      facts: { broadcasts: broadcasts.map((broadcast) => toFacts(broadcast, broadcast.counts)) },
      lines:
        broadcasts.length === 0
          ? [texts.noBroadcasts]
          : broadcasts.map((broadcast) => listLine(broadcast, texts)),
    };
  },
};

export const broadcastShow: Command = {
  name: 'broadcast show',
  usage: 'ID [--watch]',
  summary: {
    en: 'Shows how far a broadcast is; with --watch until it ends',
    ru: 'Показывает ход рассылки, с --watch — до её конца',
  },
  options: { watch: 'switch' },
  operands: ['ID'],
  async run({ given, env, texts, isJson }) {
    const id = (given.operands[0] as string).toLowerCase();
    return await readStorage(env, async ({ db }) => {
      const screen = isJson ? undefined : openScreen();
      for (;;) {
        const { broadcast, progress } = await readBroadcast(db, id);
        // A draft may stay one for ever.
        const isOver = ['draft', 'done', 'cancelled'].includes(broadcast.state);
        if (isOver || !given.isOn('watch')) {
          screen?.clear();
          return {
            facts: toFacts(broadcast, progress),
            lines: detailLines(broadcast, progress, texts),
          };
        }
        screen?.show(progressLine(broadcast, progress, texts));
        await pause(WATCH_MS);
      }
    });
  },
};

export const broadcastPause: Command = {
  name: 'broadcast pause',
  usage: 'ID | all',
  summary: {
    en: 'Stops a broadcast, or all, until you resume it',
    ru: 'Останавливает рассылку или все, пока вы их не продолжите',
  },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const which = (given.operands[0] as string).toLowerCase();
    const paused = await withStorage(env, async (tools) => {
      if (which !== 'all') {
        const { broadcast } = await readBroadcast(tools.db, which);
        const id = broadcast.id as BroadcastId;
        if (await holdByOperator(tools, id)) return [id];
        throw new Refusal((say) => say.broadcastNotRunning(id));
      }
      const held: BroadcastId[] = [];
      for (const id of await listLiveBroadcasts(tools.db)) {
        if (await holdByOperator(tools, id)) held.push(id);
      }
      return held;
    });
    return {
      facts: { paused },
      lines: paused.length === 0 ? [texts.noneRunning] : paused.map(texts.broadcastPaused),
    };
  },
};

export const broadcastResume: Command = {
  name: 'broadcast resume',
  usage: 'ID',
  summary: {
    en: 'Lets a broadcast go on that you have stopped',
    ru: 'Продолжает рассылку, которую вы остановили',
  },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const id = (given.operands[0] as string).toLowerCase();
    await withStorage(env, async (tools) => {
      const { broadcast } = await readBroadcast(tools.db, id);
      if (await releaseByOperator(tools, broadcast.id as BroadcastId)) return;
      throw new Refusal((say) => say.broadcastNotHeld(id));
    });
    return { facts: { resumed: id }, lines: [texts.broadcastResumed(id)] };
  },
};

type Watched = { broadcast: ListedBroadcast; progress: Progress | null };

async function readBroadcast(sql: Sql, id: string): Promise<Watched> {
  const broadcast = isId(id) ? await findBroadcast(sql, id) : undefined;
  if (broadcast === undefined) throw new Refusal((say) => say.noBroadcast(id));
  const { counts, counted_seconds_ago: age } = broadcast;
  // Receipts and clicks come after the end as well.
  const isFinal = broadcast.ended_at !== null && isOlderThan(broadcast.ended_at, COUNTED_DAYS);
  const isFresh = counts !== null && (isFinal || (age ?? Number.POSITIVE_INFINITY) < FRESH_SECONDS);
  if (broadcast.started_at === null || isFresh) return { broadcast, progress: counts };
  return { broadcast, progress: await countProgress(sql, id) };
}

const DAY_MS = 24 * 3_600_000;

function isOlderThan(at: Date, days: number): boolean {
  return Date.now() - at.getTime() > days * DAY_MS;
}

function toFacts(broadcast: ListedBroadcast, progress: Progress | null) {
  const { counts: _, counted_seconds_ago: __, ...facts } = broadcast;
  return { ...facts, progress };
}

/** Names come from companies, and may contain terminal control sequences. */
const plain = (text: string) => text.replaceAll(/\p{C}+/gu, ' ');

function listLine(broadcast: ListedBroadcast, texts: Texts): string {
  const { id, company_id: companyId, started_at: startedAt } = broadcast;
  return [
    id,
    texts.ofCompany(companyId),
    texts.broadcastState(broadcast.state, broadcast.pause_reason),
    texts.taken(takenOf(broadcast, broadcast.counts), broadcast.recipients),
    startedAt === null ? '—' : almatyTime(startedAt),
    plain(broadcast.name),
  ].join('  ');
}

function takenOf({ recipients }: ListedBroadcast, progress: Progress | null): number {
  return progress === null ? 0 : recipients - progress.outcomes.waiting;
}

function progressLine(broadcast: ListedBroadcast, progress: Progress | null, texts: Texts): string {
  const taken = takenOf(broadcast, progress);
  const share = broadcast.recipients === 0 ? 0 : taken / broadcast.recipients;
  const filled = Math.floor(share * BAR_WIDTH);
  const ends = progress?.ends_at ?? null;
  return [
    `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`,
    `${Math.floor(share * 100)} %`,
    texts.taken(taken, broadcast.recipients),
    texts.broadcastState(broadcast.state, broadcast.pause_reason),
    ...(progress === null || progress.rate === 0 ? [] : [texts.perSecond(progress.rate)]),
    ...(ends === null ? [] : [texts.endsAbout(almatyTime(new Date(ends)))]),
  ].join('  ');
}

function detailLines(
  broadcast: ListedBroadcast,
  progress: Progress | null,
  texts: Texts,
): string[] {
  const { pause_detail: detail } = broadcast;
  const { company_id: companyId, company } = broadcast;
  return [
    plain(broadcast.name),
    `${texts.ofCompany(companyId)} ${plain(company)}`,
    progressLine(broadcast, progress, texts),
    ...(detail === null ? [] : [plain(detail)]),
    ...(progress === null
      ? []
      : [
          texts.broadcastOutcomes(progress.outcomes),
          texts.broadcastMoney(progress.charged, broadcast.held),
          texts.broadcastClicks(progress.clicked, progress.unsubscribed),
        ]),
  ];
}

/** On a terminal the line is drawn over; elsewhere each new one is printed. */
function openScreen() {
  const { stdout } = process;
  let last = '';
  // The line stays when the watch is ended by hand, and the prompt begins below it.
  const endLine = () => stdout.write('\n');
  return {
    show(line: string) {
      if (line === last) return;
      if (stdout.isTTY && last === '') process.once('SIGINT', endLine);
      last = line;
      if (stdout.isTTY) stdout.write(`\r\u{1b}[K${line}`);
      else console.log(line);
    },
    clear() {
      process.off('SIGINT', endLine);
      if (stdout.isTTY && last !== '') stdout.write('\r\u{1b}[K');
    },
  };
}
