import type { requests as model } from '../ru/requests.ts';

export const requests = {
  title: 'Сұраулар',
} satisfies typeof model;
