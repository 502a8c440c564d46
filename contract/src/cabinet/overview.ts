import Type from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, HoursToCount, Instant, Mode, orNull, Tokens } from './fields.ts';
import { OVERVIEW_RANGES } from './message-words.ts';

export const OVERVIEW_ENDPOINTS = {
  overview: {
    method: 'GET',
    path: '/overview',
    policy: 'overview.see',
    query: Type.Object({
      range: Type.Optional(Type.Enum([...OVERVIEW_RANGES])),
      mode: Type.Optional(Mode),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      hours_to_count: HoursToCount,
      balance: Tokens,
      held: Tokens,
      /** At the pace of the last seven days; null when nothing was spent. */
      days_left: orNull(Type.Number()),
      prices: Type.Object({ whatsapp: Tokens, telegram: Tokens, sms: Tokens, group: Tokens }),
      today: Type.Object({ sends: Count, confirmed: Count, same_day_last_week: Count }),
      /** Hours for 24h, days of Almaty otherwise; every bucket of the range, empty ones too. */
      buckets: Type.Array(
        Type.Object({
          at: Instant,
          sends: Type.Object({ whatsapp: Count, telegram: Count, sms: Count }),
          confirmed: Count,
          failed: Count,
          spent: Tokens,
          confirm_ms_p50: orNull(Count),
          confirm_ms_p95: orNull(Count),
        }),
      ),
      problems: Type.Array(
        Type.Object({
          kind: Type.Enum([
            'low_balance',
            'channel_failing',
            'webhook_failing',
            'webhook_off',
            'key_idle',
            'key_expired',
            'key_expires',
            'many_failures',
          ]),
          /** The name of a key or of a channel, the address of a webhook; null for other kinds. */
          object: orNull(Type.String()),
          count: orNull(Type.Integer()),
        }),
      ),
      steps: Type.Object({
        has_test_send: Type.Boolean(),
        has_verified: Type.Boolean(),
        has_live_key: Type.Boolean(),
        has_live_send: Type.Boolean(),
        has_colleague: Type.Boolean(),
      }),
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
