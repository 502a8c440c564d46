import type { messages as model } from '../ru/messages.ts';

export const messages = {
  title: 'Messages',
} satisfies typeof model;
