export const adminOverview = {
  lead: 'The service now, without its own company.',
  companies: 'Companies',
  suspended: (count: string) => `Suspended: ${count}`,
  balance: 'On the balances of companies',
  held: (money: string) => `Held: ${money}`,
  debt: (money: string) => `Owed after refunds: ${money}`,
  sendsToday: 'Sends today',
  today: 'Since midnight in Almaty, without test sends',
  toDo: 'Waiting for a decision',
  ordersToConfirm: 'Payments to confirm',
  refundsUnderWay: 'Refunds under way',
  unhandledNotices: 'Unhandled notices of banks',
};
