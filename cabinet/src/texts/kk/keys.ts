import type { keys as model } from '../ru/keys.ts';

export const keys = {
  title: 'Кілттер',
} satisfies typeof model;
