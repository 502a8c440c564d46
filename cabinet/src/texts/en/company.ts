import type { company as model } from '../ru/company.ts';

export const company = {
  title: 'Company',
} satisfies typeof model;
