export const requests = {
  title: 'Запросы',
};
