import type { audit as model } from '../ru/audit.ts';

export const audit = {
  title: 'Audit log',
} satisfies typeof model;
