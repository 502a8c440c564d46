export const groups = {
  title: 'Группы',
};
