import type { links as model } from '../ru/links.ts';

export const links = {
  title: 'Сілтемелер',
} satisfies typeof model;
