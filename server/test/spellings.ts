/** The ten national digits of a Kazakh phone number in fifteen common spellings. */
export function spellings(national: string): string[] {
  const [, a, b, c, d] = /^(...)(...)(..)(..)$/.exec(national) as RegExpExecArray;
  return [
    `+7${national}`,
    `7${national}`,
    `8${national}`,
    national,
    `007${national}`,
    `+7 ${a} ${b} ${c} ${d}`,
    `8 (${a}) ${b}-${c}-${d}`,
    `+7(${a})${b}${c}${d}`,
    `8-${a}-${b}-${c}-${d}`,
    `8.${a}.${b}.${c}.${d}`,
    `(${a}) ${b} ${c} ${d}`,
    `${a}-${b}-${c}-${d}`,
    `00 7 ${a} ${b} ${c} ${d}`,
    `+7-${a}-${b}-${c}-${d}`,
    `+7\u00a0${a}\u00a0${b}\u00a0${c}\u00a0${d}`,
  ];
}
