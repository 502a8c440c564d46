import { refused, type Verdict } from '../verdict.ts';

export const NOT_FOR_GROUPS = refused('SMS не отправляются в группы');

/** For an error that no table knows. */
export function refusedWith(code: string): Verdict {
  return refused(`Оператор SMS не принял сообщение (ошибка ${code})`);
}
