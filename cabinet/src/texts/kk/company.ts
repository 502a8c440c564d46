import type { company as model } from '../ru/company.ts';

export const company = {
  title: 'Компания',
} satisfies typeof model;
