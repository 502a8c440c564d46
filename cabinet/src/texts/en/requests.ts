import type { requests as model } from '../ru/requests.ts';

export const requests = {
  title: 'Requests',
} satisfies typeof model;
