import { alerts } from './ru/alerts.ts';
import { audit } from './ru/audit.ts';
import { balance } from './ru/balance.ts';
import { company } from './ru/company.ts';
import { errors } from './ru/errors.ts';
import { groups } from './ru/groups.ts';
import { keys } from './ru/keys.ts';
import { layout } from './ru/layout.ts';
import { links } from './ru/links.ts';
import { lists } from './ru/lists.ts';
import { messages } from './ru/messages.ts';
import { overview } from './ru/overview.ts';
import { papers } from './ru/papers.ts';
import { playground } from './ru/playground.ts';
import { profile } from './ru/profile.ts';
import { requests } from './ru/requests.ts';
import { signIn } from './ru/sign-in.ts';
import { team } from './ru/team.ts';
import { topup } from './ru/topup.ts';
import { ui } from './ru/ui.ts';

/** The model: the other languages must have every text that stands here. */
export const ru = {
  alerts,
  audit,
  balance,
  company,
  errors,
  groups,
  keys,
  layout,
  links,
  lists,
  messages,
  overview,
  papers,
  playground,
  profile,
  requests,
  signIn,
  team,
  topup,
  ui,
};
export type Texts = typeof ru;
