/** Outcomes that the Bot API and the Gateway share. */
import { unavailable, unknown } from '../failed-outcome.ts';

export const TOO_FAST = unavailable('Telegram просит подождать');
export const UNCLEAR = unknown('Telegram ответил непонятно');
