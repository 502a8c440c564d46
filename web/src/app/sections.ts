import type { Right } from '@zhiber/contract/cabinet/rights.ts';
import {
  Activity,
  Building2,
  FlaskConical,
  KeyRound,
  LayoutDashboard,
  Link2,
  type LucideIcon,
  Megaphone,
  MessageSquare,
  MessagesSquare,
  ScrollText,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react';

export type SectionName =
  | 'overview'
  | 'messages'
  | 'broadcasts'
  | 'links'
  | 'groups'
  | 'keys'
  | 'requests'
  | 'webhooks'
  | 'playground'
  | 'balance'
  | 'team'
  | 'audit'
  | 'company';

export type Section = {
  name: SectionName;
  to: SectionPath;
  right: Right;
  icon: LucideIcon;
  keys: string;
};
export type SectionPath = '/app' | `/app/${Exclude<SectionName, 'overview'>}`;

/** Where the cabinet opens for somebody with these rights. */
export function firstSection(rights: readonly Right[]): SectionPath {
  const first = SECTION_GROUPS.flat().find(({ right }) => rights.includes(right));
  return first?.to ?? '/app';
}

/** The navigation in its displayed order, in groups. */
export const SECTION_GROUPS: readonly (readonly Section[])[] = [
  [
    { name: 'overview', to: '/app', right: 'overview.see', icon: LayoutDashboard, keys: 'g o' },
    {
      name: 'messages',
      to: '/app/messages',
      right: 'messages.see',
      icon: MessageSquare,
      keys: 'g m',
    },
    {
      name: 'broadcasts',
      to: '/app/broadcasts',
      right: 'broadcasts.see',
      icon: Megaphone,
      keys: 'g s',
    },
    { name: 'links', to: '/app/links', right: 'links.see', icon: Link2, keys: 'g l' },
    { name: 'groups', to: '/app/groups', right: 'groups.see', icon: MessagesSquare, keys: 'g g' },
  ],
  [
    { name: 'keys', to: '/app/keys', right: 'keys.see', icon: KeyRound, keys: 'g k' },
    { name: 'webhooks', to: '/app/webhooks', right: 'webhooks.see', icon: Webhook, keys: 'g w' },
    { name: 'requests', to: '/app/requests', right: 'requests.see', icon: Activity, keys: 'g r' },
    {
      name: 'playground',
      to: '/app/playground',
      right: 'playground.use',
      icon: FlaskConical,
      keys: 'g p',
    },
  ],
  [
    { name: 'balance', to: '/app/balance', right: 'balance.see', icon: Wallet, keys: 'g b' },
    { name: 'team', to: '/app/team', right: 'team.see', icon: Users, keys: 'g t' },
    { name: 'audit', to: '/app/audit', right: 'audit.see', icon: ScrollText, keys: 'g a' },
    { name: 'company', to: '/app/company', right: 'company.see', icon: Building2, keys: 'g c' },
  ],
];
