import type { groups as model } from '../ru/groups.ts';

export const groups = {
  title: 'Топтар',
} satisfies typeof model;
