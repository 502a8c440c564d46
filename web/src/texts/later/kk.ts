import { audit } from '../kk/audit.ts';
import { balance } from '../kk/balance.ts';
import { company } from '../kk/company.ts';
import { groups } from '../kk/groups.ts';
import { keys } from '../kk/keys.ts';
import { links } from '../kk/links.ts';
import { papers } from '../kk/papers.ts';
import { playground } from '../kk/playground.ts';
import { profile } from '../kk/profile.ts';
import { requests } from '../kk/requests.ts';
import { team } from '../kk/team.ts';
import { topup } from '../kk/topup.ts';
import type { LaterTexts } from './ru.ts';

export const laterTexts = {
  audit,
  balance,
  company,
  groups,
  keys,
  links,
  papers,
  playground,
  profile,
  requests,
  team,
  topup,
} satisfies LaterTexts;
