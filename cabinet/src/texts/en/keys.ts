import type { keys as model } from '../ru/keys.ts';

export const keys = {
  title: 'Keys',
} satisfies typeof model;
