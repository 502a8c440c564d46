import type { team as model } from '../ru/team.ts';

export const team = {
  title: 'Team',
} satisfies typeof model;
