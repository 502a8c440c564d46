import { audit } from '../en/audit.ts';
import { balance } from '../en/balance.ts';
import { company } from '../en/company.ts';
import { groups } from '../en/groups.ts';
import { keys } from '../en/keys.ts';
import { links } from '../en/links.ts';
import { papers } from '../en/papers.ts';
import { playground } from '../en/playground.ts';
import { profile } from '../en/profile.ts';
import { requests } from '../en/requests.ts';
import { team } from '../en/team.ts';
import { topup } from '../en/topup.ts';
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
