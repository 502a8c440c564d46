import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { ChoiceDots } from './choice-boxes.tsx';
import type { Filter } from './filter-bar.tsx';

/** A filter by API key; undefined without the right to see keys. */
export function useKeyFilter(
  keyId: number | undefined,
  setKeyId: (keyId: number | undefined) => void,
): Filter | undefined {
  const texts = useTexts().lists;
  const canSee = useRight('keys.see');
  const { data } = useQuery({ ...queryOf('keys'), enabled: canSee });
  if (!canSee) return undefined;
  const words = Object.fromEntries((data?.keys ?? []).map(({ id, name }) => [String(id), name]));
  const chosen = keyId === undefined ? undefined : String(keyId);
  return {
    id: 'key_id',
    label: texts.key,
    chosen: chosen === undefined ? undefined : (words[chosen] ?? `#${chosen}`),
    clear: () => setKeyId(undefined),
    content: (
      <ChoiceDots
        words={words}
        chosen={chosen}
        onChoose={(id) => setKeyId(id === undefined ? undefined : Number(id))}
      />
    ),
  };
}
