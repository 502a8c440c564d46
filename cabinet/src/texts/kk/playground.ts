import type { playground as model } from '../ru/playground.ts';

export const playground = {
  title: 'Құмсалғыш',
} satisfies typeof model;
