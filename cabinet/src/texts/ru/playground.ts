export const playground = {
  title: 'Песочница',
};
