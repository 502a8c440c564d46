/** What both of Telegram's HTTP interfaces come to alike. */
import { unavailable, unknown } from '../verdict.ts';

export const TOO_FAST = unavailable('Telegram просит подождать');
export const UNCLEAR = unknown('Telegram ответил непонятно');
