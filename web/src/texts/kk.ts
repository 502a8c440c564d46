import { alerts } from './kk/alerts.ts';
import { audit } from './kk/audit.ts';
import { balance } from './kk/balance.ts';
import { company } from './kk/company.ts';
import { errors } from './kk/errors.ts';
import { groups } from './kk/groups.ts';
import { keys } from './kk/keys.ts';
import { layout } from './kk/layout.ts';
import { links } from './kk/links.ts';
import { lists } from './kk/lists.ts';
import { messages } from './kk/messages.ts';
import { overview } from './kk/overview.ts';
import { papers } from './kk/papers.ts';
import { playground } from './kk/playground.ts';
import { profile } from './kk/profile.ts';
import { requests } from './kk/requests.ts';
import { signIn } from './kk/sign-in.ts';
import { team } from './kk/team.ts';
import { topup } from './kk/topup.ts';
import { ui } from './kk/ui.ts';
import type { Texts } from './ru.ts';

export const kk = {
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
} satisfies Texts;
