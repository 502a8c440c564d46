import type { groups as model } from '../ru/groups.ts';

export const groups = {
  title: 'Groups',
} satisfies typeof model;
