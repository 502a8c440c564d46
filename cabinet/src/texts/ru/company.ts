export const company = {
  title: 'Компания',
};
