import type { Context } from '../../src/context.ts';
import { createIncident, publishIncident, updateIncident } from '../../src/status/incidents.ts';
import { refreshSnapshot } from '../../src/status/refresh-snapshot.ts';

const HOUR_MS = 3_600_000;

/** Days and minutes of every state, two open incidents, maintenance to come, and one that is over. */
export async function plantStatus(ctx: Context): Promise<void> {
  await ctx.db.query(
    `insert into status_day select (now() at time zone 'Asia/Almaty')::date - n, c, case n when 7 then 0 else 1440 end,
       case n when 3 then 60 else 0 end, case n when 4 then 14 else 0 end, case n when 5 then 33 else 0 end,
       case n when 7 then 90 else 0 end
     from generate_series(1, 70) n, unnest(array['api', 'cabinet', 'sms', 'links']) c`,
  );
  await ctx.db.query(
    `insert into status_minute select date_trunc('minute', clock_timestamp()) + n * interval '1 minute', c, 'traffic', 40,
       case c when 'sms' then 8 when 'telegram' then 60 else 0 end
     from generate_series(-5, 10) n, unnest(array['whatsapp', 'telegram', 'sms']) c`,
  );
  const say = (ru: string, en: string | null = null) => ({ ru, kk: null, en });
  const now = ctx.clock.now().getTime();
  const facts = { impact: 'major' as const, components: ['sms' as const], planned: null };
  const published = async (
    title: string,
    more: Partial<Parameters<typeof createIncident>[2]['facts']> = {},
  ) => {
    const id = await createIncident(
      ctx,
      {},
      {
        facts: { ...facts, title: say(title), ...more },
        said: {
          state: 'identified',
          text: say('Ищем причину.\nСообщим через час.', 'Looking into it.'),
        },
      },
    );
    await publishIncident(ctx, {}, id);
    return id;
  };
  await published('SMS доходят с задержкой');
  await published('Telegram не принимает сообщения', {
    components: ['telegram'],
    impact: 'critical',
  });
  const planned = { from: new Date(now + HOUR_MS), until: new Date(now + 3 * HOUR_MS) };
  await published('Обновление базы данных', { components: ['api', 'cabinet'], planned });
  const over = await published('Короткий сбой ссылок', { components: ['links'], impact: 'minor' });
  const said = { state: 'resolved' as const, text: say('Исправлено', 'Fixed') };
  await updateIncident(ctx, {}, { id: over, said });
  await refreshSnapshot(ctx);
}
