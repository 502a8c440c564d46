import type { messages as model } from '../ru/messages.ts';

export const messages = {
  title: 'Хабарламалар',
} satisfies typeof model;
