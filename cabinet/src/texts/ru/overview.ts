export const overview = {
  title: 'Обзор',
};
