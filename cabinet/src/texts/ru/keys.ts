export const keys = {
  title: 'Ключи',
};
