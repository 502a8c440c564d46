import { alerts } from './kk/alerts.ts';
import { errors } from './kk/errors.ts';
import { frame } from './kk/frame.ts';
import { layout } from './kk/layout.ts';
import { lists } from './kk/lists.ts';
import { messages } from './kk/messages.ts';
import { overview } from './kk/overview.ts';
import { signIn } from './kk/sign-in.ts';
import { ui } from './kk/ui.ts';
import type { FirstTexts } from './ru.ts';

export const kk = {
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
