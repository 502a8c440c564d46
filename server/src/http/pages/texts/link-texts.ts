import type { Lang } from '../language.ts';

type Notice = { title: string; text: string };
export type LinkTexts = { gone: Notice; unknown: Notice; tooMany: Notice };

/** For people who tapped a link in a message: no terms of ours, one thing they can do. */
export const LINK_TEXTS = {
  ru: {
    gone: {
      title: 'Ссылка больше не работает',
      text: 'Её срок закончился, или отправитель её отключил. Попросите прислать новую.',
    },
    unknown: {
      title: 'Такой ссылки нет',
      text: 'Проверьте, что адрес скопирован целиком, или откройте ссылку прямо из сообщения.',
    },
    tooMany: {
      title: 'Слишком много попыток',
      text: 'Подождите минуту и откройте ссылку снова.',
    },
  },
  kk: {
    gone: {
      title: 'Сілтеме енді жұмыс істемейді',
      text: 'Оның мерзімі бітті немесе жіберуші оны өшірді. Жаңасын жіберуін сұраңыз.',
    },
    unknown: {
      title: 'Мұндай сілтеме жоқ',
      text: 'Мекенжай толық көшірілгенін тексеріңіз немесе сілтемені хабарламадан ашыңыз.',
    },
    tooMany: {
      title: 'Әрекет тым көп',
      text: 'Бір минут күтіп, сілтемені қайта ашыңыз.',
    },
  },
  en: {
    gone: {
      title: 'This link no longer works',
      text: 'It has expired, or the sender switched it off. Ask for a new one.',
    },
    unknown: {
      title: 'There is no such link',
      text: 'Check that the address was copied whole, or open the link from the message itself.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'Wait a minute and open the link again.',
    },
  },
} as const satisfies Record<Lang, LinkTexts>;
