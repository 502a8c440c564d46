export const adminOverview = {
  lead: 'Сервистің қазіргі жағдайы, сервистің өз компаниясын қоспағанда.',
  companies: 'Компаниялар',
  suspended: (count: string) => `Тоқтатылғаны: ${count}`,
  balance: 'Компаниялардың балансында',
  held: (money: string) => `Ұсталғаны: ${money}`,
  debt: (money: string) => `Қайтарымнан кейінгі қарыз: ${money}`,
  sendsToday: 'Бүгінгі жіберулер',
  today: 'Алматы уақытымен түн ортасынан бері, сынақтарсыз',
  toDo: 'Шешім күтіп тұр',
  ordersToConfirm: 'Растау керек төлемдер',
  refundsUnderWay: 'Жолдағы қайтарымдар',
  unhandledNotices: 'Банктің өңделмеген хабарламалары',
};
