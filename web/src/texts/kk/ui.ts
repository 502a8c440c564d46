import { MESSAGE_TEXTS_KK } from '@zhiber/contract/cabinet/message-texts.ts';
import { capitaliseAll, stepTitle } from '../capitalise.ts';
import type { ui as model } from '../ru/ui.ts';

const { modes, states, outcomes } = MESSAGE_TEXTS_KK;

const steps: (typeof model)['steps'] = {
  accepted: () => 'Сұрау қабылданды',
  attempt: (channel) => (channel ? `${channel} арқылы жіберілуде` : 'Жіберілуде'),
  sent: stepTitle(states.sent),
  refused: stepTitle(outcomes.refused),
  unavailable: (channel) => (channel ? `${channel} қолжетімсіз` : 'Арна қолжетімсіз'),
  unknown: stepTitle(states.unknown),
  delivered: stepTitle(states.delivered),
  read: stepTitle(states.read),
  failed: stepTitle(states.failed),
  unconfirmed: stepTitle(outcomes.unconfirmed),
  fallback: (channel) => (channel ? `Келесі арна: ${channel}` : 'Келесі арна'),
  verified: () => 'Код дұрыс енгізілді',
  clicked: () => 'Сілтеме ашылды',
};

export const ui = {
  loading: 'Жүктелуде…',
  counting: (hours) => `Әлі санап жатырмыз: ең ерте ${hours} сағат сандарға әлі кірген жоқ`,
  close: 'Жабу',
  cancel: 'Бас тарту',
  save: 'Сақтау',
  undo: 'Қайтару',
  copy: 'Көшіру',
  copied: 'Көшірілді',
  notCopied: 'Көшіру мүмкін болмады: мәтінді белгілеп, өзіңіз көшіріңіз',
  retry: 'Қайталау',
  requestId: 'Сұрау нөмірі:',
  copyRequestId: 'Сұрау нөмірін көшіру',
  whatToMend: 'Нені түзету керек',
  typeToConfirm: (word) => `Растау үшін мынаны енгізіңіз: ${word}`,
  showMore: 'Тағы көрсету',
  showNew: (count) => `${count} жаңасын көрсету`,
  resetFilters: 'Сүзгілерді тазалау',
  nothingMatches: 'Бұл сүзгілерге ештеңе сәйкес келмейді',
  noRight: 'Сіздің рөліңізде бұл бетке рұқсат жоқ',
  noRightAdvice: 'Құқықтарды компанияның басшысы немесе басқарушысы «Команда» бетінде өзгертеді.',
  asTable: 'Кесте',
  asChart: 'График',
  codeLanguage: 'Код тілі',
  almaty: 'Алматы',
  never: 'ешқашан',
  optional: 'міндетті емес',
  shortcutsTitle: 'Пернелер',
  shortcutsOn: 'Пернелерді қосу',
  shortcutsHint: 'Жеке әріптер енгізу өрістерінен тыс жерде жұмыс істейді.',
  modes: capitaliseAll(modes),
  states: capitaliseAll(states),
  steps,
  roles: {
    owner: 'Басшы',
    manager: 'Басқарушы',
    developer: 'Әзірлеуші',
    accountant: 'Бухгалтер',
    marketer: 'Маркетолог',
    viewer: 'Бақылаушы',
  },
} satisfies typeof model;
