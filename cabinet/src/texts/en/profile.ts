import type { profile as model } from '../ru/profile.ts';

export const profile = {
  title: 'Profile',
} satisfies typeof model;
