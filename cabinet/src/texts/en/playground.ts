import type { playground as model } from '../ru/playground.ts';

export const playground = {
  title: 'Playground',
} satisfies typeof model;
