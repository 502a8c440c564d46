import Type, { type Static } from 'typebox';
import type { Channel } from './api/channel.ts';

/** Faults of the virtual phone. They apply to the whole sandbox, whoever sends. */
export const Switches = Type.Object({
  no_whatsapp: Type.Boolean(),
  no_telegram: Type.Boolean(),
  /** Messages are accepted and never confirmed. */
  offline: Type.Boolean(),
  /** SMS is refused. */
  not_mobile: Type.Boolean(),
});
export type Switches = Static<typeof Switches>;

/** What `GET /try/session` answers. It holds keys, so it exists in the sandbox alone. */
export type TrySession = {
  success: true;
  base_url: string;
  /** The text of each key. Every start of the server replaces them. */
  keys: Record<'test' | 'live', string>;
  company: { name: string; balance: number };
  prices: Record<'whatsapp' | 'telegram' | 'sms' | 'group', number>;
  /** The price of an SMS is that of each of its parts. */
  is_sms_per_part: boolean;
  groups: { name: string; channel: Channel }[];
};
