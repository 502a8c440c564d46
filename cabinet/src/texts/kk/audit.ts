import type { audit as model } from '../ru/audit.ts';

export const audit = {
  title: 'Журнал',
} satisfies typeof model;
