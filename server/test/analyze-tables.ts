import type { useService } from './harness.ts';

/**
 * Makes the planner know what was just inserted, as autovacuum would a minute later. That may be at
 * it already, so its lock is waited for.
 */
export async function analyzeTables(
  { ctx }: Pick<ReturnType<typeof useService>, 'ctx'>,
  ...tables: string[]
): Promise<void> {
  await ctx.db.maintain(async (own) => {
    await own.query(`set lock_timeout = '60s'`);
    await own.query(`analyze ${tables.join(', ')}`);
  });
}
