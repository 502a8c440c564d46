import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { ChoiceDots, chosenText } from '../../ui/filters/choice-boxes.tsx';
import type { Filter } from '../../ui/filters/filter-bar.tsx';

export function useProviderFilter<
  Name extends keyof ReturnType<typeof useTexts>['topup']['providers'],
>(
  names: readonly Name[],
  chosen: Name | undefined,
  onChoose: (name: Name | undefined) => void,
): Filter {
  const { columns } = useAdminTexts().payments;
  const { providers } = useTexts().topup;
  const words = Object.fromEntries(names.map((name) => [name, providers[name]])) as Record<
    Name,
    string
  >;
  return {
    id: 'provider',
    label: columns.provider,
    chosen: chosenText(words, chosen),
    clear: () => onChoose(undefined),
    content: <ChoiceDots words={words} chosen={chosen} onChoose={onChoose} />,
  };
}
