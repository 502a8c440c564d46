export const profile = {
  title: 'Профиль',
};
