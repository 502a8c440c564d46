export const adminOverview = {
  lead: 'Сервис сейчас, без собственной компании сервиса.',
  companies: 'Компании',
  suspended: (count: string) => `Приостановлено: ${count}`,
  balance: 'На балансах компаний',
  held: (money: string) => `Удержано: ${money}`,
  debt: (money: string) => `Долг после возвратов: ${money}`,
  sendsToday: 'Отправок сегодня',
  today: 'С полуночи по Алматы, без тестовых',
  toDo: 'Ждут решения',
  ordersToConfirm: 'Платежи на подтверждение',
  refundsUnderWay: 'Возвраты в пути',
  unhandledNotices: 'Необработанные уведомления банка',
};
