import { useTexts } from '../../texts/use-texts.tsx';

/** Writes `2026-11` as `ноябрь 2026`. */
export function useMonthTitle(): (month: string) => string {
  const { months } = useTexts().papers;
  return (month) => {
    const [year, number] = month.split('-');
    return `${months[Number(number) - 1]} ${year}`;
  };
}
