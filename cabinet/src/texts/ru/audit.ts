export const audit = {
  title: 'Журнал',
};
