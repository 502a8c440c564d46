import type { ChangelogTexts } from '@zhiber/contract/pages/changelog.ts';
import type { LegalTexts } from '@zhiber/contract/pages/legal.ts';

/** `/changelog`; its entries are in `web/src/texts/changelog.ts`. */
export const changelog = {
  title: 'Өзгерістер',
  description: 'Zhiber API мен кабинетіндегі жаңалықтар, айлар бойынша.',
  lead: 'API мен кабинеттегі өзгерістер, айлар бойынша, алдымен жаңалары.',
  unchanged:
    'API-дің негізгі әдістері өзгерген жоқ: `/otp/send`, `/otp/verify`, `/links/*`, `/group/send`, тақырыптағы кілт және JSON.',
  tags: {
    added: 'Қосылды',
    changed: 'Өзгерді',
    fixed: 'Түзетілді',
    deprecated: 'Ескірді',
  },
  permalink: 'Осы өзгеріске сілтеме',
  feeds: 'Жазылу',
  policyTitle: 'API қалай өзгереді',
  policy: [
    'Мекенжайларда нұсқа нөмірі жоқ: олар өзгермейді.',
    'Жауаптарға тек жаңа өрістер қосылады. Өрістердің аттары, түрлері мен мағынасы, қате кодтары мен мәртебелер бұрынғыдай қалады, сондықтан белгісіз өрістерді елемеген дұрыс.',
    'Бірдеңені алып тастау керек болса, ол туралы осы беттегі «Ескірді» жазбасы мен жауаптардағы `Deprecation` және `Sunset` тақырыптары алдын ала хабарлайды: қай күннен ескіргенін және қашан тоқтайтынын.',
  ],
} satisfies ChangelogTexts;

/** `/terms` and `/privacy`. */
export const legal = {
  terms: 'Пайдалану шарттары',
  privacy: 'Құпиялылық саясаты',
  missing:
    'Бұл — Zhiber-дің дербес орнатылымы, оның операторы бұл құжатты әлі жарияламаған. Сұрақтар бойынша операторға хабарласыңыз.',
  sandbox:
    'Бұл — сервиспен танысуға арналған құмсалғыш: ол сыртқа ештеңе жібермейді және нақты төлем қабылдамайды. Құжатты нақты орнатылымның операторы жариялайды.',
  onlyRussian: 'Бұл құжат әзірге тек орыс тілінде.',
} satisfies LegalTexts;
