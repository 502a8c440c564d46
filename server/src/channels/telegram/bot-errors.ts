import { type FailedOutcome, refused, unavailable } from '../failed-outcome.ts';

/** An error as the Bot API reports it. */
export type BotError = { status: number; description: string };

const WRONG_TOKEN = unavailable('Telegram не признал бота');

/** One chat has had too much; other chats can still receive messages. */
export const CHAT_FLOODED = refused('Слишком много сообщений Telegram этому получателю подряд');

const BY_STATUS: Readonly<Record<number, FailedOutcome>> = {
  401: WRONG_TOKEN,
  // A malformed token leads to an address that does not exist.
  404: WRONG_TOKEN,
  429: CHAT_FLOODED,
};

const NO_RIGHTS = 'У бота нет права писать в эту группу';

/** Descriptions may change without notice, so only a part of each is matched. */
const BY_DESCRIPTION: readonly (readonly [part: string, reason: string])[] = [
  ['bot was blocked', 'Получатель заблокировал бота'],
  ['user is deactivated', 'Аккаунт получателя в Telegram удалён'],
  ["can't initiate conversation", 'Получатель ещё не начал диалог с ботом'],
  ['bot was kicked', 'Бота удалили из группы'],
  ['bot is not a member', 'Бот не состоит в этой группе'],
  ['chat was deleted', 'Группа удалена'],
  ['chat was upgraded', 'Группа переехала, и её новый адрес не подошёл'],
  ['chat not found', 'Чат не найден'],
  ['not enough rights', NO_RIGHTS],
  ['CHAT_SEND_PLAIN_FORBIDDEN', NO_RIGHTS],
  ['message is too long', 'Сообщение слишком длинное для Telegram'],
  ['message text is empty', 'Пустое сообщение'],
];

/** Whether the bot can no longer write to this chat at all. */
export function isGone({ status, description }: BotError): boolean {
  return status === 403 || description.includes('chat not found');
}

/** The outcome for an error of the Bot API. In every case the message was not sent. */
export function outcomeOfError({ status, description }: BotError): FailedOutcome {
  const byStatus = BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  const reason = BY_DESCRIPTION.find(([part]) => description.includes(part))?.[1];
  return refused(reason ?? `Telegram отклонил сообщение (${status})`);
}
