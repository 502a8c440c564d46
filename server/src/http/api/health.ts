import type { HealthAnswer } from '@zhiber/contract/api/health.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { VERSION } from '../../version.ts';

/** Whether a send or a verification could work now, that is, whether the database answers. */
export async function health(ctx: Context): Promise<HealthAnswer> {
  if (!(await ctx.db.isUp())) throw new Problem('service_unavailable');
  return {
    success: true,
    message: 'Сервис работает',
    status: 'ok',
    version: VERSION,
    time: ctx.clock.now().toISOString(),
  };
}
