import { pluralRu } from '../plural.ts';

export const alerts = {
  stopped: (balance: string, price: string) =>
    `Отправки остановлены: на балансе ${balance}, сообщение стоит от ${price}.`,
  refused: (count: number, shown: string, since: string) =>
    `С ${since} ${pluralRu(count, 'отклонена', 'отклонены', 'отклонено')} ${shown} ${pluralRu(count, 'отправка', 'отправки', 'отправок')}.`,
  refusedMany: (max: string, since: string) => `С ${since} отклонено больше ${max} отправок.`,
  owed: (debt: string) =>
    `Отправки остановлены: после возврата платежа у компании долг ${debt}. Он спишется при следующем пополнении.`,
  short: (balance: string, price: string) =>
    `На балансе ${balance}, а сообщение стоит от ${price}: новые отправки будут отклонены.`,
  low: (balance: string) => `На балансе осталось ${balance}.`,
  lasts: (days: number) =>
    days < 1
      ? 'При нынешнем расходе не хватит и на день.'
      : `При нынешнем расходе хватит примерно на ${days} ${pluralRu(days, 'день', 'дня', 'дней')}.`,
  topUp: 'Пополнить',
  ask: (names: string) => `Пополнить баланс могут: ${names}.`,

  title: 'Уведомление о балансе',
  lead: 'Напишем, когда на балансе станет меньше этой суммы. Не чаще раза в сутки.',
  threshold: 'Порог, ₸',
  thresholdHint: 'Оставьте пустым, чтобы не получать уведомления.',
  emails: 'Кому писать на почту',
  emailsHint: (max: number) => `Через запятую, не больше ${max} адресов.`,
  toMembers: (addresses: string) => `Если не заполнить — всем, кто видит баланс: ${addresses}.`,
  toNobody: 'Если не заполнить — всем, кто видит баланс. Сейчас ни у кого из них не указана почта.',
  noMail: 'Оператор сервиса не подключил почту: письма не отправляются.',
  telegramMembers: 'Писать в Telegram тем, кто видит баланс',
  telegramMembersHint: (names: string) => `Бот может написать: ${names}.`,
  telegramNobody: 'Никто из них ещё не написал боту Zhiber.',
  telegramGroup: 'Группа в Telegram',
  noGroup: 'Не писать в группу',
  saved: 'Сохранено',
  isOff: 'Выключено',
  membersWhoSee: 'Все, кто видит баланс',
  announcedAt: 'Последнее уведомление',
  never: 'Ещё не было',
};
