import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import type { DemoKeyName } from './traffic-rows.ts';

/**
 * What the team of the demo company calls its own things. It is the company's own data, as in any
 * company: written once, in the language of the first visitor, and not translated for the next one.
 * The texts that its customers get stay in their languages, Russian and Kazakh.
 */
export type DemoWords = {
  keys: Record<DemoKeyName, string>;
  webhook: string;
  people: readonly { id: string; name: string; role: Role }[];
};

const PEOPLE = [
  { id: 'demo-aigerim', role: 'manager' },
  { id: 'demo-timur', role: 'developer' },
  { id: 'demo-olga', role: 'accountant' },
  { id: 'demo-daniyar', role: 'marketer' },
] as const;

const named = (names: readonly string[]) =>
  PEOPLE.map((person, place) => ({ ...person, name: names[place] as string }));

const CYRILLIC = ['Айгерим Сапарова', 'Тимур Ибраев', 'Ольга Ким', 'Данияр Ахметов'];

export const DEMO_WORDS: Readonly<Record<Lang, DemoWords>> = {
  ru: {
    keys: { site: 'Сайт romashka.kz', app: 'Мобильное приложение', tests: 'Тесты' },
    webhook: 'Интернет-магазин',
    people: named(CYRILLIC),
  },
  kk: {
    keys: { site: 'romashka.kz сайты', app: 'Мобильді қолданба', tests: 'Тесттер' },
    webhook: 'Интернет-дүкен',
    people: named(['Айгерім Сапарова', 'Тимур Ибраев', 'Ольга Ким', 'Данияр Ахметов']),
  },
  en: {
    keys: { site: 'romashka.kz website', app: 'Mobile app', tests: 'Tests' },
    webhook: 'Online shop',
    people: named(['Aigerim Saparova', 'Timur Ibrayev', 'Olga Kim', 'Daniyar Akhmetov']),
  },
};
