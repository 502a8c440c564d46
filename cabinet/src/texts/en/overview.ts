import type { overview as model } from '../ru/overview.ts';

export const overview = {
  title: 'Overview',
} satisfies typeof model;
