export const team = {
  title: 'Команда',
};
