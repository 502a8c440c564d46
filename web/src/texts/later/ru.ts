import { audit } from '../ru/audit.ts';
import { balance } from '../ru/balance.ts';
import { company } from '../ru/company.ts';
import { groups } from '../ru/groups.ts';
import { keys } from '../ru/keys.ts';
import { links } from '../ru/links.ts';
import { papers } from '../ru/papers.ts';
import { playground } from '../ru/playground.ts';
import { profile } from '../ru/profile.ts';
import { requests } from '../ru/requests.ts';
import { team } from '../ru/team.ts';
import { topup } from '../ru/topup.ts';

/** The texts of the pages that are opened later. */
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
};
export type LaterTexts = typeof laterTexts;
