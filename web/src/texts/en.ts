import { alerts } from './en/alerts.ts';
import { errors } from './en/errors.ts';
import { frame } from './en/frame.ts';
import { layout } from './en/layout.ts';
import { lists } from './en/lists.ts';
import { messages } from './en/messages.ts';
import { overview } from './en/overview.ts';
import { signIn } from './en/sign-in.ts';
import { ui } from './en/ui.ts';
import type { FirstTexts } from './ru.ts';

export const en = {
  alerts,
  errors,
  frame,
  layout,
  lists,
  messages,
  overview,
  signIn,
  ui,
} satisfies FirstTexts;
