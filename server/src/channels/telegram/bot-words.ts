import type { CallbackAnswer } from '../provider.ts';
import { STOP_CONFIRMED } from '../stop-word.ts';

/**
 * The texts of the bot. Telegram accepts a method call as the response to an update, so a reply
 * needs no request of ours. Russian first, then Kazakh: the person has not chosen a language yet.
 */
const SHARE_KEYBOARD = {
  keyboard: [[{ text: 'Отправить мой номер / Нөмірімді жіберу', request_contact: true }]],
  resize_keyboard: true,
  one_time_keyboard: true,
};
const NO_KEYBOARD = { remove_keyboard: true };

const TEXTS = {
  ask_for_phone: {
    text: [
      'Здравствуйте! Чтобы получать коды и сообщения здесь, отправьте свой номер телефона кнопкой ниже.',
      'Сәлеметсіз бе! Кодтар мен хабарламаларды осында алу үшін төмендегі түймемен телефон нөміріңізді жіберіңіз.',
    ],
    reply_markup: SHARE_KEYBOARD,
  },
  thank: {
    text: [
      'Спасибо! Коды и сообщения для вашего номера теперь могут приходить сюда.',
      'Рахмет! Енді нөміріңізге арналған кодтар мен хабарламалар осында келе алады.',
    ],
    reply_markup: NO_KEYBOARD,
  },
  refuse_foreign_phone: {
    text: [
      'Мы можем принять только ваш собственный номер. Отправьте его, пожалуйста, кнопкой ниже.',
      'Біз тек өзіңіздің нөміріңізді қабылдай аламыз. Оны төмендегі түймемен жіберіңіз.',
    ],
    reply_markup: SHARE_KEYBOARD,
  },
  stopped: { text: [STOP_CONFIRMED], reply_markup: undefined },
  group_linked: {
    text: [
      'Готово! Группа привязана: сообщения компании теперь могут приходить сюда.',
      'Дайын! Топ байланыстырылды: компанияның хабарламалары енді осында келе алады.',
    ],
    reply_markup: undefined,
  },
  group_unknown: {
    text: [
      'Это приглашение не подходит: оно действует один час и для одной группы. Возьмите новое в кабинете.',
      'Бұл шақыру жарамайды: ол бір сағат және бір топқа ғана жарамды. Кабинеттен жаңасын алыңыз.',
    ],
    reply_markup: undefined,
  },
};

export type BotWord = keyof typeof TEXTS;

export function sayTo(chatId: string, word: BotWord): CallbackAnswer {
  const { text, reply_markup } = TEXTS[word];
  const call = { method: 'sendMessage', chat_id: Number(chatId), text: text.join('\n\n') };
  return { contentType: 'application/json', body: JSON.stringify({ ...call, reply_markup }) };
}
