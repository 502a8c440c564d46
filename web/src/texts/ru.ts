import type { LaterTexts } from './later/ru.ts';
import { alerts } from './ru/alerts.ts';
import { errors } from './ru/errors.ts';
import { frame } from './ru/frame.ts';
import { layout } from './ru/layout.ts';
import { lists } from './ru/lists.ts';
import { messages } from './ru/messages.ts';
import { overview } from './ru/overview.ts';
import { signIn } from './ru/sign-in.ts';
import { ui } from './ru/ui.ts';

/**
 * What the frame and the first pages say; `later` has the other pages. Russian is the model: the
 * other languages must have every text that stands here.
 */
export const ru = {
  alerts,
  errors,
  frame,
  layout,
  lists,
  messages,
  overview,
  signIn,
  ui,
};
export type FirstTexts = typeof ru;
export type Texts = FirstTexts & LaterTexts;
