import type { team as model } from '../ru/team.ts';

export const team = {
  title: 'Команда',
} satisfies typeof model;
