export const links = {
  title: 'Ссылки',
};
