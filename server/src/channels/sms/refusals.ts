import { type FailedOutcome, refused } from '../failed-outcome.ts';

export const NOT_FOR_GROUPS = refused('SMS не отправляются в группы');

/** For an error code that is not in a table. */
export function refusedWith(code: string): FailedOutcome {
  return refused(`Оператор SMS не принял сообщение (ошибка ${code})`);
}
