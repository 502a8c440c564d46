export const messages = {
  title: 'Сообщения',
};
