import type { Lang } from '@zhiber/contract/languages.ts';
import type { Letter } from './mailer.ts';

export type LetterKind =
  | 'confirm_address'
  | 'new_address'
  | 'known_address'
  | 'new_password'
  | 'invitation'
  | 'attempts'
  | 'sign_in_changed'
  | 'low_balance'
  | 'webhook_off'
  | 'receipt'
  | 'paper';

/** `notYou` replaces the default advice for people who did not cause the letter. */
type LetterText = { subject: string; text: string; button: string; notYou?: string };

/** {company}, {available}, {threshold}, {paper} and {address} are replaced with facts of the letter. */
const TEXTS: Record<Lang, Record<LetterKind, LetterText> & { notYou: string }> = {
  ru: {
    confirm_address: {
      subject: 'Подтвердите адрес почты',
      text: 'Чтобы завершить регистрацию в Zhiber, подтвердите адрес почты. Ссылка действует 24 часа.',
      button: 'Подтвердить адрес',
    },
    new_address: {
      subject: 'Подтвердите новый адрес почты',
      text: 'Вы меняете адрес почты в учётной записи Zhiber. Откройте ссылку в браузере, где вы вошли в кабинет. Она действует 24 часа.',
      button: 'Подтвердить адрес',
    },
    known_address: {
      subject: 'У вас уже есть учётная запись',
      text: 'Этот адрес указали при регистрации в Zhiber, но учётная запись с ним уже есть. Войдите или задайте новый пароль на странице входа.',
      button: 'Войти',
    },
    new_password: {
      subject: 'Новый пароль',
      text: 'Чтобы задать новый пароль для Zhiber, откройте ссылку. Она действует один час.',
      button: 'Задать пароль',
    },
    invitation: {
      subject: 'Приглашение в компанию «{company}»',
      text: 'Вас пригласили в компанию «{company}» в Zhiber. Приглашение действует 7 дней.',
      button: 'Принять приглашение',
    },
    attempts: {
      subject: 'Попытки входа в вашу учётную запись',
      text: 'Для вашей учётной записи Zhiber много раз подряд ввели неверный пароль или код. Вход с этого адреса временно закрыт.',
      button: 'Открыть профиль',
      notYou: 'Если это были не вы, смените пароль и включите второй фактор.',
    },
    sign_in_changed: {
      subject: 'Изменены данные для входа',
      text: 'В вашей учётной записи Zhiber изменён телефон, почта, пароль или второй фактор. Подробности — в профиле.',
      button: 'Открыть профиль',
      notYou: 'Если это были не вы, смените пароль, завершите другие сеансы и напишите нам.',
    },
    webhook_off: {
      subject: 'Вебхук компании «{company}» выключен',
      text: 'Адрес {address} не принимает события Zhiber, поэтому мы перестали их отправлять. События сохраняются 14 дней: исправьте ошибку, включите вебхук и отправьте пропущенные события.',
      button: 'Открыть вебхуки',
      notYou: 'Такое письмо получают все, кто управляет вебхуками компании.',
    },
    low_balance: {
      subject: 'На балансе «{company}» осталось {available}',
      text: 'На балансе компании «{company}» осталось {available}: это ниже заданного порога {threshold}. Когда средства закончатся, отправки остановятся.',
      button: 'Пополнить баланс',
      notYou:
        'Такое письмо приходит не чаще раза в сутки. Порог и адреса можно изменить на странице баланса.',
    },
    receipt: {
      subject: '{paper} — «{company}»',
      text: 'Компания «{company}» прислала вам документ из сервиса Zhiber: {paper}. Он во вложении. По ссылке можно проверить, что он подлинный.',
      button: 'Проверить квитанцию',
      notYou: 'Если вы не ждали этого документа, удалите письмо.',
    },
    paper: {
      subject: '{paper} — «{company}»',
      text: 'Компания «{company}» прислала вам документ из сервиса Zhiber: {paper}. Он во вложении.',
      button: 'О сервисе Zhiber',
      notYou: 'Если вы не ждали этого документа, удалите письмо.',
    },
    notYou: 'Если это были не вы, не обращайте внимания на это письмо.',
  },
  kk: {
    confirm_address: {
      subject: 'Пошта мекенжайын растаңыз',
      text: 'Zhiber-ге тіркелуді аяқтау үшін пошта мекенжайын растаңыз. Сілтеме 24 сағат жарамды.',
      button: 'Мекенжайды растау',
    },
    new_address: {
      subject: 'Жаңа пошта мекенжайын растаңыз',
      text: 'Сіз Zhiber тіркелгісінің пошта мекенжайын өзгертіп жатырсыз. Сілтемені кабинетке кірген браузерде ашыңыз. Ол 24 сағат жарамды.',
      button: 'Мекенжайды растау',
    },
    known_address: {
      subject: 'Сізде тіркелгі бұрыннан бар',
      text: 'Бұл мекенжай Zhiber-ге тіркелгенде көрсетілді, бірақ осы мекенжаймен тіркелгі бұрыннан бар. Кіріңіз немесе кіру бетінде жаңа құпиясөз қойыңыз.',
      button: 'Кіру',
    },
    new_password: {
      subject: 'Жаңа құпиясөз',
      text: 'Zhiber үшін жаңа құпиясөз қою үшін сілтемені ашыңыз. Ол бір сағат жарамды.',
      button: 'Құпиясөз қою',
    },
    invitation: {
      subject: '«{company}» компаниясына шақыру',
      text: 'Сіз Zhiber-дегі «{company}» компаниясына шақырылдыңыз. Шақыру 7 күн жарамды.',
      button: 'Шақыруды қабылдау',
    },
    attempts: {
      subject: 'Тіркелгіңізге кіру әрекеттері',
      text: 'Zhiber тіркелгіңізге қатарынан көп рет қате құпиясөз немесе код енгізілді. Бұл мекенжайдан кіру уақытша жабылды.',
      button: 'Профильді ашу',
      notYou: 'Егер бұл сіз болмасаңыз, құпиясөзді ауыстырып, екінші факторды қосыңыз.',
    },
    sign_in_changed: {
      subject: 'Кіру деректеріңіз өзгертілді',
      text: 'Zhiber тіркелгіңізде телефон, пошта, құпиясөз немесе екінші фактор өзгертілді. Толығырақ — профильде.',
      button: 'Профильді ашу',
      notYou:
        'Егер бұл сіз болмасаңыз, құпиясөзді ауыстырып, басқа сеанстарды аяқтаңыз және бізге жазыңыз.',
    },
    webhook_off: {
      subject: '«{company}» компаниясының вебхугы өшірілді',
      text: '{address} мекенжайы Zhiber оқиғаларын қабылдамайды, сондықтан оларды жіберуді тоқтаттық. Оқиғалар 14 күн сақталады: қатені түзетіп, вебхукты қосыңыз да, жіберілмей қалған оқиғаларды жіберіңіз.',
      button: 'Вебхуктарды ашу',
      notYou: 'Мұндай хатты компанияның вебхуктарын басқаратын барлық адам алады.',
    },
    low_balance: {
      subject: '«{company}» балансында {available} қалды',
      text: '«{company}» компаниясының балансында {available} қалды: бұл белгіленген {threshold} шегінен төмен. Қаражат таусылғанда хабарламалар жіберілмейді.',
      button: 'Балансты толтыру',
      notYou:
        'Мұндай хат тәулігіне бір реттен артық келмейді. Шек пен мекенжайларды баланс бетінде өзгертуге болады.',
    },
    receipt: {
      subject: '{paper} — «{company}»',
      text: '«{company}» компаниясы сізге Zhiber сервисінен құжат жіберді: {paper}. Ол хатқа тіркелген. Түпнұсқа екенін сілтеме арқылы тексеруге болады.',
      button: 'Түбіртекті тексеру',
      notYou: 'Бұл құжатты күтпеген болсаңыз, хатты жойыңыз.',
    },
    paper: {
      subject: '{paper} — «{company}»',
      text: '«{company}» компаниясы сізге Zhiber сервисінен құжат жіберді: {paper}. Ол хатқа тіркелген.',
      button: 'Zhiber туралы',
      notYou: 'Бұл құжатты күтпеген болсаңыз, хатты жойыңыз.',
    },
    notYou: 'Егер бұл сіз болмасаңыз, бұл хатты елемеңіз.',
  },
  en: {
    confirm_address: {
      subject: 'Confirm your e-mail address',
      text: 'To finish signing up for Zhiber, confirm your e-mail address. The link is valid for 24 hours.',
      button: 'Confirm address',
    },
    new_address: {
      subject: 'Confirm your new e-mail address',
      text: 'You are changing the e-mail address of your Zhiber account. Open the link in the browser where you are signed in. It is valid for 24 hours.',
      button: 'Confirm address',
    },
    known_address: {
      subject: 'You already have an account',
      text: 'This address was used to sign up for Zhiber, but an account with it already exists. Sign in, or set a new password on the sign-in page.',
      button: 'Sign in',
    },
    new_password: {
      subject: 'Set a new password',
      text: 'To set a new password for Zhiber, open the link. It is valid for one hour.',
      button: 'Set password',
    },
    invitation: {
      subject: 'Invitation to “{company}”',
      text: 'You have been invited to the company “{company}” on Zhiber. The invitation is valid for 7 days.',
      button: 'Accept the invitation',
    },
    attempts: {
      subject: 'Sign-in attempts on your account',
      text: 'A wrong password or code was entered for your Zhiber account many times in a row. Signing in from that address is temporarily blocked.',
      button: 'Open profile',
      notYou: 'If this was not you, change your password and turn on the second factor.',
    },
    sign_in_changed: {
      subject: 'Your sign-in details were changed',
      text: 'The phone, e-mail, password or second factor of your Zhiber account was changed. See your profile for details.',
      button: 'Open profile',
      notYou: 'If this was not you, change your password, end other sessions and contact us.',
    },
    webhook_off: {
      subject: 'A webhook of “{company}” was switched off',
      text: '{address} does not accept Zhiber events, so we have stopped sending them. Events are stored for 14 days: fix the error, switch the webhook on and send the missed events.',
      button: 'Open webhooks',
      notYou: 'This e-mail is sent to everyone who manages the company’s webhooks.',
    },
    low_balance: {
      subject: '{available} left on the balance of “{company}”',
      text: 'There is {available} left on the balance of “{company}”, below the set threshold of {threshold}. When the balance runs out, sending stops.',
      button: 'Top up the balance',
      notYou:
        'This e-mail is sent at most once a day. You can change the threshold and addresses on the balance page.',
    },
    receipt: {
      subject: '{paper} — “{company}”',
      text: 'The company “{company}” has sent you a document from Zhiber: {paper}. It is attached. Follow the link to check that it is genuine.',
      button: 'Check the receipt',
      notYou: 'If you did not expect this document, delete this e-mail.',
    },
    paper: {
      subject: '{paper} — “{company}”',
      text: 'The company “{company}” has sent you a document from Zhiber: {paper}. It is attached.',
      button: 'About Zhiber',
      notYou: 'If you did not expect this document, delete this e-mail.',
    },
    notYou: 'If this was not you, ignore this e-mail.',
  },
};

/** What a letter is about, where its kind says it. */
export type LetterFacts = {
  company?: string;
  available?: string;
  threshold?: string;
  /** The title of an attached paper. */
  paper?: string;
  /** Of an endpoint. */
  address?: string;
};

/** A letter in the recipient's language, as plain text and as HTML with the link as a button. */
export function letterOf(
  kind: LetterKind,
  lang: Lang,
  { to, link, ...facts }: { to: string; link: string } & LetterFacts,
): Letter {
  const { subject, text, button, notYou = TEXTS[lang].notYou }: LetterText = TEXTS[lang][kind];
  const fillIn = (template: string) =>
    template.replaceAll(
      /\{(company|available|threshold|paper|address)\}/g,
      (_, name: keyof LetterFacts) => oneLine(facts[name] ?? ''),
    );
  return {
    to,
    link,
    subject: fillIn(subject),
    text: `${fillIn(text)}\n\n${link}\n\n${notYou}\n\nZhiber\n`,
    html: `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${escapeHtml(fillIn(subject))}</title>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a">
<p>${escapeHtml(fillIn(text))}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1a1a1a;color:#fff;text-decoration:none">${button}</a></p>
<p style="color:#666">${notYou}</p>
<p style="color:#666">Zhiber</p>
</body></html>`,
  };
}

/**
 * A company name is user input and goes into a mail header, so it must not break lines. The no-break
 * spaces of an amount stay.
 */
function oneLine(text: string): string {
  return text.replaceAll(/[^\S\u{a0}]+/gu, ' ').trim();
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
