import { alerts } from './en/alerts.ts';
import { audit } from './en/audit.ts';
import { balance } from './en/balance.ts';
import { company } from './en/company.ts';
import { errors } from './en/errors.ts';
import { groups } from './en/groups.ts';
import { keys } from './en/keys.ts';
import { layout } from './en/layout.ts';
import { links } from './en/links.ts';
import { lists } from './en/lists.ts';
import { messages } from './en/messages.ts';
import { overview } from './en/overview.ts';
import { papers } from './en/papers.ts';
import { playground } from './en/playground.ts';
import { profile } from './en/profile.ts';
import { requests } from './en/requests.ts';
import { signIn } from './en/sign-in.ts';
import { team } from './en/team.ts';
import { topup } from './en/topup.ts';
import { ui } from './en/ui.ts';
import type { Texts } from './ru.ts';

export const en = {
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
