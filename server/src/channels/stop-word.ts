/** Words by which a person asks for no more broadcasts, alone in a message. */
const WORDS = ['СТОП', 'ТОҚТА', 'STOP', 'ОТПИСАТЬСЯ', 'UNSUBSCRIBE'];

/** Latin letters that look like Cyrillic ones, and letters that a keyboard may lack. */
const FOLDED: Readonly<Record<string, string>> = {
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  K: 'К',
  M: 'М',
  O: 'О',
  P: 'Р',
  T: 'Т',
  X: 'Х',
  Қ: 'К',
  Q: 'К',
};

/** The answer to one, in both languages: which one the person reads is not known. */
export const STOP_CONFIRMED = [
  'Вы отписались от рассылки. Коды и уведомления приходят по-прежнему.',
  'Сіз таратудан бас тарттыңыз. Кодтар мен хабарламалар бұрынғыдай келеді.',
].join('\n\n');

const FOLDED_WORDS: ReadonlySet<string> = new Set(WORDS.map(fold));
/** With everything that people put around a word. */
const LENGTH_MAX = 40;

/** Whether a message is nothing but such a word, whatever its case and punctuation. */
export function isStopWord(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > LENGTH_MAX) return false;
  return FOLDED_WORDS.has(fold(text));
}

function fold(text: string): string {
  const word = text.normalize('NFKC').replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return [...word.toUpperCase()].map((letter) => FOLDED[letter] ?? letter).join('');
}
