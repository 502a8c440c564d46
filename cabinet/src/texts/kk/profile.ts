import type { profile as model } from '../ru/profile.ts';

export const profile = {
  title: 'Профиль',
} satisfies typeof model;
